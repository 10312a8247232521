import * as prompts from '@clack/prompts'
import type { Json, JsonObject } from '../../base/json.js'
import { KINDS } from '../../types/kinds.js'
import { isDisclosure, isFieldName, isTypeName, DISCLOSURES } from '../../types/names.js'
import { CommandFailure, EXIT } from './failure.js'
import { parseField } from './type-field.js'

/** Asks a person for a definition, field by field. Groups and actions are added to the file by hand, or from flags. */
export async function askDefinition(): Promise<JsonObject> {
  prompts.intro('A new task type')
  const name = await ask(
    prompts.text({
      message: 'Its name, such as quote.request',
      validate: (text) => (isTypeName(text ?? '') ? undefined : 'Two to four words of a-z, 0-9 and -, joined by dots')
    })
  )
  const title = await ask(prompts.text({ message: 'Its title, for people' }))
  const fields: JsonObject[] = []
  do fields.push(await askField())
  while (await ask(prompts.confirm({ message: 'Another field?' })))
  prompts.outro('That is the definition.')
  return { format: 'ttd1', name, version: 1, title, fields }
}

async function askField(): Promise<JsonObject> {
  const name = await ask(
    prompts.text({
      message: 'Name of the field',
      validate: (text) => (isFieldName(text ?? '') ? undefined : 'A small letter, then letters and digits')
    })
  )
  const kinds = Object.keys(KINDS).map((value) => ({ value }))
  const kind = await ask(prompts.select({ message: 'What it holds', options: kinds }))
  const bounds = await ask(
    prompts.text({
      message: 'Bounds, such as maxLength=200 or minimum=1;maximum=20',
      defaultValue: '',
      initialValue: usual(kind)
    })
  )
  const label = await ask(prompts.text({ message: 'Label, for people' }))
  const required = await ask(prompts.confirm({ message: 'Must every proposal have it?' }))
  const capability = await ask(
    prompts.text({
      message: `What it discloses (${DISCLOSURES.join(', ')}, disclose.x.…), empty for nothing`,
      defaultValue: '',
      validate: (text) => (!text || isDisclosure(text) ? undefined : 'None of these')
    })
  )
  const more: Record<string, Json> = { label }
  if (required) more['required'] = true
  if (capability !== '') more['capability'] = capability
  return { ...parseField(`${name}:${kind};${bounds}`), ...more }
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
