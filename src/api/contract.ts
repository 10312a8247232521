import { z } from 'zod'
import { DESK_CONTRACT } from './contract/desk.js'
import { ENVELOPE_CONTRACT } from './contract/envelopes.js'
import { JOB_CONTRACT } from './contract/jobs.js'
import { OFFER_CONTRACT } from './contract/offers.js'
import { OWNER_CONTRACT } from './contract/owner.js'
import { OWNER_WORK_CONTRACT } from './contract/owner-work.js'
import { type RouteSchemas, word } from './contract/parts.js'
import { TASK_CONTRACT } from './contract/tasks.js'
import { type ParamsOf, type RouteName, ROUTE_NAMES, paramNamesOf, ROUTES } from './routes.js'

/**
 * The schemas of every route of `routes.ts`: query, body and answer, all strict, so that an unknown member is refused by
 * name. What two nodes or the owner's rules decide (ids, links, proposals, capabilities) is checked behind the doors;
 * here only shape and size. Spec: protocols/socket-api.md. Clients import types from here, never values.
 */
export const CONTRACT = {
  ...TASK_CONTRACT,
  ...ENVELOPE_CONTRACT,
  ...JOB_CONTRACT,
  ...OFFER_CONTRACT,
  ...DESK_CONTRACT,
  ...OWNER_CONTRACT,
  ...OWNER_WORK_CONTRACT
} as const satisfies Record<RouteName, RouteSchemas>

type Contract = typeof CONTRACT

/** What a handler gets, checked and with defaults filled in. */
export interface InputOf<K extends RouteName> {
  readonly params: ParamsOf<K>
  readonly query: z.output<Contract[K]['query']>
  readonly body: z.output<Contract[K]['body']>
}

/** The body of a 2xx answer. */
export type AnswerOf<K extends RouteName> = z.output<Contract[K]['answer']>

/** What a client may write. */
export type QueryOf<K extends RouteName> = z.input<Contract[K]['query']>
export type BodyOf<K extends RouteName> = z.input<Contract[K]['body']>

/** What the path parameters of agent routes are, for programs that never saw one. */
const PARAM_WORDS: Readonly<Record<string, string>> = {
  taskUid: 'Id of the task, from its creation, your inbox or the list of tasks',
  taskId: 'taskId of the delegated task; its taskUid where two senders chose one taskId',
  approvalId: 'Id of the question, from the answer that said pending_approval',
  contact: 'al1… id, alias or handle of a contact'
}

/** Path parameters: strings of bounded length; what they name is looked up behind the doors. */
export const PARAMS = Object.fromEntries(
  ROUTE_NAMES.map((name) => [
    name,
    z.strictObject(Object.fromEntries(paramNamesOf(ROUTES[name].path).map((param) => [param, wordFor(param)])))
  ])
) as unknown as Readonly<Record<RouteName, z.ZodType<Record<string, string>>>>

function wordFor(param: string): typeof word {
  const description = PARAM_WORDS[param]
  return description === undefined ? word : word.describe(description)
}
