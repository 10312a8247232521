import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse, TomlError } from 'smol-toml'
import type { SettingView } from '../api/shapes/settings.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import { nearest } from './nearest.js'
import { BY_NAME, type Config, type Setting } from './settings.js'

/**
 * The configuration in four layers, later ones win: config/default.toml, the home's config.toml, the environment, the
 * flags. Each layer is looked through on its own, so that a complaint names where the mistake stands.
 */

type Values = Readonly<Record<string, unknown>>
type From = SettingView['from']
interface Layer {
  readonly from: From
  /** What a complaint names. */
  readonly source: string
  /** Dotted name -> value. */
  readonly values: Values
}

/** Variables with our prefix that are no settings: where the home is, and what the owner's own scripts export. */
const NOT_SETTINGS = new Set(['AGENTLINK_HOME', 'AGENTLINK_URL', 'AGENTLINK_TOKEN', 'AGENTLINK_AGENT'])
const PREFIX = 'AGENTLINK_'
const ENVIRONMENT = 'environment'
const NAMES = [...BY_NAME.keys()]
const DEFAULTS = fileURLToPath(new URL('../../config/default.toml', import.meta.url))

/**
 * Reads and checks the configuration.
 * @param file path of the home's config.toml
 * @param environment process environment, or a part of it
 * @param flags dotted names of settings given on the command line
 * @throws CommandFailure (usage) that names the key and its source
 */
export function loadConfig(file: string, environment: NodeJS.ProcessEnv, flags: Values = {}): Config {
  return explainConfig(file, environment, flags).config
}

/** As `loadConfig`, and each setting with the layer that it is from. */
export function explainConfig(
  file: string,
  environment: NodeJS.ProcessEnv,
  flags: Values = {}
): { readonly config: Config; readonly settings: readonly SettingView[] } {
  const layers: readonly Layer[] = [
    defaults(),
    { from: 'file', ...fileLayer(file, file) },
    environmentLayer(environment),
    { from: 'flag', source: 'command line', values: flags }
  ]
  for (const layer of layers) refuseUnknown(layer)
  const config = checked(layers)
  return { config, settings: [...BY_NAME].map(([name, setting]) => shown(name, setting, layers)) }
}

/** Checks the text of a config.toml together with the defaults, before it is written. */
export function checkConfigText(text: string, source: string): Config {
  const layers: readonly Layer[] = [defaults(), { from: 'file', source, values: flatten(parsed(text, source)) }]
  for (const layer of layers) refuseUnknown(layer)
  return checked(layers)
}

function defaults(): Layer {
  return { from: 'default', ...fileLayer(DEFAULTS, 'config/default.toml') }
}

function fileLayer(file: string, source: string): Omit<Layer, 'from'> {
  return { source, values: flatten(parsed(readText(file), source)) }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new CommandFailure(EXIT.home, `can't read ${file}: ${(error as Error).message}`)
  }
}

function parsed(text: string, source: string): Values {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new CommandFailure(EXIT.usage, `${source}, line ${error.line}: ${error.message.split('\n')[0] ?? 'not TOML'}`)
  }
}

/** Sections become dotted names. What is deeper stays a value, and a section that nobody knows a name, to be refused. */
function flatten(sections: Values): Values {
  const flat: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sections)) {
    if (!isTable(value) || !NAMES.some((known) => known.startsWith(`${name}.`))) flat[name] = value
    else for (const [key, member] of Object.entries(value)) flat[`${name}.${key}`] = member
  }
  return flat
}

function isTable(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}

function environmentLayer(environment: NodeJS.ProcessEnv): Layer {
  const values: Record<string, unknown> = {}
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || NOT_SETTINGS.has(variable) || text === undefined) continue
    const name = NAMES.find((known) => variableOf(known) === variable)
    const setting = name === undefined ? undefined : BY_NAME.get(name)
    values[name ?? nameIn(variable)] = setting === undefined ? text : setting.read(text)
  }
  return { from: 'environment', source: ENVIRONMENT, values }
}

/** `net.listen` -> `AGENTLINK_NET_LISTEN`. */
export function variableOf(name: string): string {
  return PREFIX + name.toUpperCase().replaceAll('.', '_')
}

/** What an unknown variable may have meant: `AGENTLINK_NET_LISTN` -> `net.listn`. */
function nameIn(variable: string): string {
  return variable.slice(PREFIX.length).toLowerCase().replace('_', '.')
}

function refuseUnknown(layer: Layer): void {
  const shown = (name: string): string => (layer.source === ENVIRONMENT ? variableOf(name) : name)
  for (const name of Object.keys(layer.values)) {
    if (BY_NAME.has(name)) continue
    const guess = nearest(name, NAMES)
    const hint = guess === undefined ? `known: ${NAMES.map(shown).join(', ')}` : `did you mean ${shown(guess)}?`
    throw new CommandFailure(EXIT.usage, `${layer.source}: unknown setting ${shown(name)}; ${hint}`)
  }
}

function checked(layers: readonly Layer[]): Config {
  const faults: string[] = []
  const config: Record<string, unknown> = {}
  for (const [name, setting] of BY_NAME) {
    const layer = winner(layers, name)
    if (layer === undefined) continue
    const outcome = setting.check(layer.values[name])
    if ('fault' in outcome) faults.push(`${layer.source}: ${name} ${outcome.fault}`)
    else place(config, name, outcome.value)
  }
  if (faults.length > 0) throw new CommandFailure(EXIT.usage, faults.join('\n'))
  return config as unknown as Config
}

/** The last layer that says something of a setting. */
function winner(layers: readonly Layer[], name: string): Layer | undefined {
  return layers.findLast((candidate) => Object.hasOwn(candidate.values, name))
}

/** A setting of layers that were checked. */
function shown(name: string, setting: Setting<unknown>, layers: readonly Layer[]): SettingView {
  const won = winner(layers, name)
  return {
    name,
    ...shownAs('value', setting, won?.values[name]),
    ...shownAs('default', setting, layers.find(({ from }) => from === 'default')?.values[name]),
    from: won?.from ?? 'default',
    says: setting.summary,
    file: 'config.toml',
    key: name,
    variable: variableOf(name),
    restart: true
  }
}

function shownAs(member: 'value' | 'default', setting: Setting<unknown>, value: unknown): Partial<SettingView> {
  const outcome = setting.check(value)
  return 'fault' in outcome ? {} : { [member]: withoutSecrets(outcome.value as NonNullable<SettingView['value']>) }
}

/** Providers of RPC nodes put their keys into the path or the query of a URL. */
function withoutSecrets(value: NonNullable<SettingView['value']>): NonNullable<SettingView['value']> {
  if (typeof value !== 'string' || !/^https?:/.test(value)) return value
  const { origin, pathname, search, hash, username, password } = new URL(value)
  const open = pathname === '/' && search + hash + username + password === ''
  return open ? value : `${origin}/…`
}

function place(config: Record<string, unknown>, name: string, value: unknown): void {
  const [section = name, key] = name.split('.')
  if (key === undefined) config[section] = value
  else config[section] = { ...(config[section] as Values | undefined), [key]: value }
}
