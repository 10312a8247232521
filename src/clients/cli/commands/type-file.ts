import { existsSync, writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { differences } from '../../../api/definition-diff.js'
import { type Json, type JsonObject, isObject } from '../../../base/json.js'
import { readJson } from '../../../base/strict-json.js'
import { visible } from '../../../base/visible.js'
import { type Context, type Run, runOf } from '../context.js'
import { CommandFailure, EXIT } from '../failure.js'
import { differenceText } from '../type-diff.js'
import type { Terminal } from '../terminal.js'
import { FIELD_HELP, parseAction, parseField } from '../type-field.js'
import { checkFile, definitionIn, faultText, inspectFile, readBytes, writeDefinition } from '../type-files.js'
import { inspectionText, typeName } from '../type-text.js'

/** The `agentlink type …` commands that need no node: they work on files. The questions are loaded when they are asked. */

interface NewFlags {
  readonly name?: string
  readonly typeVersion?: string
  readonly title?: string
  readonly description?: string
  readonly field?: readonly JsonObject[]
  readonly action?: readonly string[]
  readonly from?: string
  readonly out?: string
  readonly force?: true
}

const NEW_EXAMPLES = `
Examples:
  agentlink type new
  agentlink type new --name quote.request --title 'Quotation' \\
    --field 'item:text;maxLength=200;required;capability=disclose.x.purchasing;label=What is asked for' \\
    --field 'price:amount;scale=2;unit=EUR;capability=disclose.budget' \\
    --field '{"name":"deliverTo","kind":"group","label":"Deliver to","fields":["town:text;maxLength=80"]}' \\
    --action '{"name":"order","label":"Order it","params":["orderNumber:text;maxLength=40;required"]}'
  agentlink type new --from draft.json --out quote.json`

export function addNew(group: Command, context: Context): void {
  group
    .command('new')
    .summary('start a definition: from questions, or from flags')
    .description(
      'Writes a definition file in its canonical form. On a terminal and without --name it asks; with --from it takes the ' +
        'definition of a JSON file that need not be canonical. Nothing is installed yet.'
    )
    .option('--name <name>', 'such as quote.request')
    .option('--type-version <n>', 'its version (default: 1)')
    .option('--title <text>', 'for people (default: the name)')
    .option('--description <text>', 'for people')
    .option('--field <field>', 'name:kind;member=value;…, once for each field', collectField)
    .option('--action <json>', 'something that can be recorded on an agreement, three at most', collect)
    .option('--from <file>', 'take the definition of a JSON file')
    .option('--out <file>', 'where to (default: NAME@VERSION.json)')
    .option('--force', 'replace a file that is there')
    .addHelpText('after', `\n${FIELD_HELP}\n${NEW_EXAMPLES}`)
    .action(async (flags: NewFlags, self: Command) => {
      const run = runOf(context, self)
      const value = await draft(flags, run.json ? undefined : context.terminal.ask)
      const path = flags.out ?? fileName(value)
      const type = writeDefinition(path, value, flags.force === true ? 'replace' : 'new')
      const { name, version } = type.definition
      await run.print(
        { file: path, name, version, hash: type.hash },
        () =>
          `Wrote ${visible(path)}: ${name}@${version} ${type.hash}\nYour node takes it with: ${run.command(`type install ${visible(path)}`)}`
      )
    })
}

function collectField(text: string, before: readonly JsonObject[] = []): readonly JsonObject[] {
  return [...before, parseField(text)]
}

function collect(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text]
}

/** What it is called by default; a definition that can't be called so is none, and is not written. */
function fileName(value: Json): string {
  return isObject(value) ? `${String(value['name'])}@${String(value['version'])}.json` : 'definition.json'
}

/** `ask`: set when a person can be asked. */
async function draft(flags: NewFlags, ask: Terminal['ask']): Promise<Json> {
  if (flags.from !== undefined) return fromFile(flags.from)
  if (flags.name === undefined && ask !== undefined) {
    const { askDefinition } = await import('../type-wizard.js')
    return askDefinition()
  }
  const { name, title, description, field = [], action = [], typeVersion = '1' } = flags
  if (name === undefined) throw new CommandFailure(EXIT.usage, 'say --name, --title and --field, or --from FILE')
  return {
    format: 'ttd1',
    name,
    version: Number(typeVersion),
    title: title ?? name,
    ...(description === undefined ? {} : { description }),
    fields: field,
    ...(action.length === 0 ? {} : { actions: action.map((text) => parseAction(text, name)) })
  }
}

function fromFile(path: string): Json {
  const bytes = readBytes(path)
  const json = readJson(bytes, { maxBytes: bytes.length, maxDepth: 8 })
  if (json.ok) return json.value
  throw new CommandFailure(EXIT.refused, `${visible(path)}: ${visible(json.refusal.message)}`, { error: json.refusal })
}

export function addCheck(group: Command, context: Context): void {
  group
    .command('check')
    .summary('name each fault of a definition file, by field')
    .description('Checks a definition file and names each fault by its field. Exit code 1 when there is one.')
    .argument('<file>', 'definition file')
    .option('--fix', 'write it in its canonical form, when that is all that is wrong')
    .addHelpText('after', '\nExamples:\n  agentlink type check quote.json\n  agentlink type check quote.json --fix')
    .action(async (path: string, flags: { readonly fix?: true }, self: Command) => {
      const run = runOf(context, self)
      let checked = checkFile(readBytes(path))
      if (flags.fix === true && checked.canonical !== undefined) {
        writeFileSync(path, checked.canonical)
        checked = checkFile(readBytes(path))
      }
      const { faults, type } = checked
      if (type === undefined) throw new CommandFailure(EXIT.refused, faultText(path, faults), { file: path, faults })
      const inspection = inspectFile(type)
      await run.print({ file: path, faults, inspection }, () => inspectionText(inspection))
    })
}

export function addHash(group: Command, context: Context): void {
  group
    .command('hash')
    .summary('the hash of a definition file')
    .description('Prints the hash that identifies the type: SHA-256 of the file, if it is a definition.')
    .argument('<file>', 'definition file')
    .addHelpText('after', '\nExample:\n  agentlink type hash quote.json')
    .action(async (path: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const { definition, hash } = definitionIn(path)
      await run.print({ name: definition.name, version: definition.version, hash }, () => hash)
    })
}

export function addDiff(group: Command, context: Context): void {
  group
    .command('diff')
    .summary('two definitions side by side')
    .description('Shows where two definitions differ. Each is a file, or a type that this node holds.')
    .argument('<left>', 'file, hash, name@version or name')
    .argument('<right>', 'file, hash, name@version or name')
    .addHelpText('after', '\nExample:\n  agentlink type diff quote.request@1 quote-2.json')
    .action(async (left: string, right: string, _flags: object, self: Command) => {
      const run = runOf(context, self)
      const sides = [await sideOf(run, left), await sideOf(run, right)] as const
      const all = differences(sides[0].definition, sides[1].definition)
      const [a, b] = sides
      await run.print({ left: a.name, right: b.name, differences: all }, () => differenceText([a.name, b.name], all))
    })
}

/** A definition of a file, or of a type that the node holds, and how it is named. */
async function sideOf(run: Run, ref: string): Promise<{ readonly name: string; readonly definition: JsonObject }> {
  if (existsSync(ref)) {
    const { definition, hash } = definitionIn(ref)
    return { name: typeName({ ...definition, hash }), definition: definition as unknown as JsonObject }
  }
  const { inspection } = await run.session.owner('owner.types.read', { params: { type: ref } })
  return { name: typeName(inspection), definition: inspection.definition }
}
