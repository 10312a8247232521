import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse, TomlError } from 'smol-toml'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import { type Config, configSchema, SETTINGS } from './config-schema.js'
import { nearest } from './nearest.js'

/**
 * The configuration in four layers, later ones win: config/default.toml, the home's config.toml, the environment, the
 * flags. Each layer is looked through on its own, so that a complaint names where the mistake stands.
 */

type Settings = Readonly<Record<string, unknown>>
interface Layer {
  readonly source: string
  /** Dotted name -> value. */
  readonly settings: Settings
}

/** Variables with our prefix that are no settings: where the home is, and what the owner's own scripts export. */
const NOT_SETTINGS = new Set(['AGENTLINK_HOME', 'AGENTLINK_URL', 'AGENTLINK_AGENT'])
const PREFIX = 'AGENTLINK_'
const DEFAULTS = fileURLToPath(new URL('../../config/default.toml', import.meta.url))

/**
 * Reads and checks the configuration.
 * @param file path of the home's config.toml
 * @param environment process environment, or a part of it
 * @param flags dotted names of settings given on the command line
 * @throws CommandFailure (usage) that names the key and its source
 */
export function loadConfig(file: string, environment: NodeJS.ProcessEnv, flags: Settings = {}): Config {
  const layers = [
    fileLayer(DEFAULTS, 'config/default.toml'),
    fileLayer(file, file),
    environmentLayer(environment),
    { source: 'command line', settings: flags }
  ]
  for (const layer of layers) refuseUnknown(layer)
  return checked(layers)
}

/** Checks the text of a config.toml together with the defaults, before it is written. */
export function checkConfigText(text: string, source: string): Config {
  const layers = [fileLayer(DEFAULTS, 'config/default.toml'), { source, settings: flatten(parsed(text, source)) }]
  for (const layer of layers) refuseUnknown(layer)
  return checked(layers)
}

function fileLayer(file: string, source: string): Layer {
  return { source, settings: flatten(parsed(readText(file), source)) }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(EXIT.home, `can't read ${file}: ${(error as Error).message}`)
  }
}

function parsed(text: string, source: string): Settings {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new CommandFailure(EXIT.usage, `${source}, line ${error.line}: ${error.message.split('\n')[0] ?? 'not TOML'}`)
  }
}

/** Sections become dotted names. What is deeper than a section stays a value, for the schema to refuse. */
function flatten(sections: Settings): Settings {
  const flat: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sections)) {
    if (!isTable(value)) flat[name] = value
    else for (const [key, member] of Object.entries(value)) flat[`${name}.${key}`] = member
  }
  return flat
}

function isTable(value: unknown): value is Settings {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function environmentLayer(environment: NodeJS.ProcessEnv): Layer {
  const settings: Record<string, unknown> = {}
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || NOT_SETTINGS.has(variable) || text === undefined) continue
    const name = variable.slice(PREFIX.length).toLowerCase().replace('_', '.')
    const setting = SETTINGS.find((known) => variableOf(known) === variable)
    settings[setting ?? name] = setting === undefined ? text : valueOf(setting, text)
  }
  return { source: 'environment', settings }
}

/** `net.listen` -> `AGENTLINK_NET_LISTEN`. */
export function variableOf(setting: string): string {
  return PREFIX + setting.toUpperCase().replaceAll('.', '_')
}

/** The environment knows only text: the default's type says what it stands for. */
function valueOf(setting: string, text: string): unknown {
  const standard = fileLayer(DEFAULTS, 'config/default.toml').settings[setting]
  if (Array.isArray(standard)) return text === '' ? [] : text.split(',').map((part) => part.trim())
  if (typeof standard === 'number') return /^-?\d+$/.test(text) ? Number(text) : text
  if (typeof standard === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

function refuseUnknown(layer: Layer): void {
  for (const name of Object.keys(layer.settings)) {
    if (SETTINGS.includes(name)) continue
    const guess = nearest(name, SETTINGS)
    const shown = (setting: string): string => (layer.source === 'environment' ? variableOf(setting) : setting)
    const hint =
      guess === undefined ? `known settings: ${SETTINGS.map(shown).join(', ')}` : `did you mean ${shown(guess)}?`
    throw new CommandFailure(EXIT.usage, `${layer.source}: unknown setting ${shown(name)}; ${hint}`)
  }
}

function checked(layers: readonly Layer[]): Config {
  const merged: Settings = Object.assign({}, ...layers.map((layer) => layer.settings)) as Settings
  const outcome = configSchema.safeParse(unflatten(merged))
  if (outcome.success) return outcome.data
  const complaints = outcome.error.issues.map((issue) => {
    const name = issue.path.slice(0, 2).join('.')
    const source = layers.findLast((layer) => SETTINGS.includes(name) && name in layer.settings)?.source
    return `${source ?? 'configuration'}: ${name}: ${issue.message}`
  })
  throw new CommandFailure(EXIT.usage, complaints.join('\n'))
}

function unflatten(settings: Settings): Settings {
  const sections: Record<string, Record<string, unknown>> = {}
  const top: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(settings)) {
    const [section = name, key] = name.split('.')
    if (key === undefined) top[section] = value
    else (sections[section] ??= {})[key] = value
  }
  return { ...top, ...sections }
}
