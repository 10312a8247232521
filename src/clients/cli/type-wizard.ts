import * as prompts from '@clack/prompts'
import { InvalidArgumentError } from 'commander'
import type { JsonObject } from '../../base/json.js'
import { faultsIn } from '../../types/definition.js'
import { KINDS } from '../../types/kinds.js'
import { labelFault } from '../../types/labels.js'
import { TTD1 } from '../../types/limits.js'
import { DISCLOSURES, isDisclosure, isFieldName, isTypeName } from '../../types/names.js'
import { CommandFailure, EXIT } from './failure.js'
import { parseField } from './type-field.js'

/**
 * Asks a person for a definition, field by field. Every answer is checked when it is given, so that none is lost to a
 * fault at the end. Groups and actions come from flags, or are added to the file and checked.
 */
export async function askDefinition(): Promise<JsonObject> {
  prompts.intro('A new task type')
  const name = await ask(
    prompts.text({
      message: 'Its name, such as quote.request',
      validate: (text = '') =>
        isTypeName(text) ? undefined : 'Two to four words of a-z, 0-9 and -, joined by dots; none of the reserved ones'
    })
  )
  const title = await askLabel('Its title, for people')
  const fields: JsonObject[] = []
  do fields.push(await askField(fields.map((field) => field['name'] as string)))
  while (await ask(prompts.confirm({ message: 'Another field?', initialValue: false })))
  prompts.outro('That is the definition. Groups and actions: see `agentlink type new --help`.')
  return { format: 'ttd1', name, version: 1, title, fields }
}

async function askField(taken: readonly string[]): Promise<JsonObject> {
  const name = await ask(
    prompts.text({
      message: 'Name of the field',
      validate(text = '') {
        if (taken.includes(text)) return 'There is one with this name'
        return isFieldName(text) ? undefined : 'A small letter, then letters and digits; none of the reserved ones'
      }
    })
  )
  const kinds = Object.keys(KINDS).map((value) => ({ value }))
  const kind = await ask(prompts.select({ message: 'What it holds', options: kinds }))
  const bounds = await ask(
    prompts.text({
      message: 'Bounds, such as maxLength=200 or minimum=1;maximum=20',
      defaultValue: '',
      initialValue: usual(kind),
      validate: (text = '') => problemOf(`${name}:${kind};${text}`)
    })
  )
  const label = await askLabel('Label, for people')
  const required = await ask(prompts.confirm({ message: 'Must every proposal have it?' }))
  const capability = await ask(
    prompts.text({
      message: `What it discloses (${DISCLOSURES.join(', ')}, disclose.x.…), empty for nothing`,
      defaultValue: '',
      validate: (text) => (!text || isDisclosure(text) ? undefined : 'None of these')
    })
  )
  return {
    ...parseField(`${name}:${kind};${bounds}`),
    label,
    ...(required ? { required } : {}),
    ...(capability === '' ? {} : { capability })
  }
}

function askLabel(message: string): Promise<string> {
  return ask(prompts.text({ message, validate: (text = '') => labelFault(text, TTD1.labelLength) }))
}

/** What is wrong with a field by itself; undefined when nothing is. */
function problemOf(text: string): string | undefined {
  try {
    const alone = { format: 'ttd1', name: 'any.type', version: 1, title: 'Any', fields: [parseField(text)] }
    const [fault] = faultsIn(alone)
    return fault === undefined ? undefined : `${fault.path.replace('fields[0].', '')} ${fault.want}`
  } catch (error) {
    if (error instanceof InvalidArgumentError) return error.message
    throw error
  }
}

/** What a kind can't do without. */
function usual(kind: string): string {
  switch (kind) {
    case 'text':
      return 'maxLength=200'
    case 'list':
      return 'maxItems=10;maxLength=200'
    case 'choice':
      return 'options=first|second'
    case 'amount':
      return 'scale=2;unit=EUR'
    default:
      return ''
  }
}

/** An answer; a person who breaks off gets nothing written. */
async function ask<T>(question: Promise<T>): Promise<Exclude<T, symbol>> {
  const answer = await question
  if (prompts.isCancel(answer)) throw new CommandFailure(EXIT.usage, 'broken off; nothing was written')
  return answer as Exclude<T, symbol>
}
