import { readFileSync } from 'node:fs'
import { type ApiFailure, type ApiSuccess, type CallInput, createClient } from '../../api/client.js'
import type { AnswerOf } from '../../api/contract.js'
import { type HomePaths, homePaths, parseRunFile, type RunFile } from '../../api/home.js'
import type { Auth, RoutesFor } from '../../api/routes.js'
import { visible } from '../../base/visible.js'
import { CommandFailure, EXIT, noHome } from './failure.js'
import { noAgent } from './no-agent.js'

/**
 * A command's conversation with the node of one home: over its unix sockets only, with the owner's secret or an agent's
 * token read from the home. A refusal becomes a CommandFailure, because a command can do nothing but say it.
 */
export interface Session {
  readonly paths: HomePaths
  /** Calls an owner route. */
  owner<K extends RoutesFor<'owner'>>(route: K, input?: CallInput<K>): Promise<AnswerOf<K>>
  /** Calls an agent route as the agent of that name. */
  agent<K extends RoutesFor<'agent'>>(name: string, route: K, input?: CallInput<K>): Promise<AnswerOf<K>>
}

/** A session with the node of `home` (absolute). Nothing is connected or read before the first call. */
export function openSession(home: string): Session {
  const paths = homePaths(home)
  return {
    paths,
    owner: async (route, input) => callOnce(paths, readSecret(paths), route, input),
    agent: async (name, route, input) => callOnce(paths, readToken(paths, name), route, input)
  }
}

async function callOnce<K extends RoutesFor<Auth>>(
  paths: HomePaths,
  token: string,
  route: K,
  input: CallInput<K> | undefined
): Promise<AnswerOf<K>> {
  const client = createClient({ socketPath: paths.apiSocket, token })
  try {
    return bodyOf(paths, await client.call(route, input))
  } finally {
    client.close()
  }
}

function readSecret(paths: HomePaths): string {
  return readOr(paths.ownerSecret, () => noHome(paths.home))
}

function readToken(paths: HomePaths, name: string): string {
  return readOr(paths.agent(name).token, () => noAgent(paths, name))
}

function readOr(file: string, missing: () => CommandFailure): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? missing() : error
  }
}

function bodyOf<K extends RoutesFor<Auth>>(paths: HomePaths, answer: ApiSuccess<K> | ApiFailure): AnswerOf<K> {
  if (answer.ok) return answer.body
  if (answer.status === 0) {
    throw new CommandFailure(EXIT.notRunning, `${paths.home}: ${answer.refusal.message}`, { error: answer.refusal })
  }
  throw new CommandFailure(EXIT.refused, sentenceOf(answer.refusal), { error: answer.refusal })
}

/** A refusal for a person. Where it tells all that is wrong at once, each fault has its own line, which names the member. */
function sentenceOf({ code, message, details }: ApiFailure['refusal']): string {
  if (!Array.isArray(details['faults'])) {
    return `${visible(message)} (${details.code === undefined ? code : `${code}, ${details.code}`})`
  }
  const faults = details['faults'] as ReadonlyArray<{ readonly code: string; readonly message: string }>
  const lines = faults.map((fault) => `  ${visible(fault.message)} (${fault.code})`)
  return ['the task envelope was refused, and nothing was sent:', ...lines].join('\n')
}

/** The run file of a home, if a node left or keeps one there. */
export function readRunFile(paths: HomePaths): RunFile | undefined {
  try {
    return parseRunFile(readFileSync(paths.runFile, 'utf8'))
  } catch {
    return undefined
  }
}

/** Whether a node answers on the home's socket. */
export async function isAnswering(paths: HomePaths): Promise<boolean> {
  const client = createClient({ socketPath: paths.apiSocket, token: '', silenceMs: 5000 })
  try {
    return (await client.call('health.read')).ok
  } finally {
    client.close()
  }
}
