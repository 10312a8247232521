/** What a row of the route table says. */

/** Who may call: an agent with its token, the owner with the owner's secret, or anyone who reaches the socket. */
export type Auth = 'agent' | 'owner' | 'none'
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface Route {
  readonly method: Method
  /** `:name` marks a path parameter. */
  readonly path: string
  readonly auth: Auth
  readonly summary: string
  /** What a program that never heard of AgentLink must know beside the summary: when to call, what to do next. */
  readonly help?: string
  /** Media type of the answer; absent: JSON. */
  readonly media?: 'text/markdown' | 'text/event-stream' | 'application/x-ndjson'
  /** `Idempotency-Key` stores the answer and replays it. */
  readonly once?: true
  /** Takes the owner's secret, not the session of the page: what is more than the page needs. */
  readonly secretOnly?: true
  /** May wait for something to happen; ends when the caller goes away or the server stops. */
  readonly waits?: true
  /** How an agent's route stands among the tools of MCP; whatever is missing is derived (`tools.ts`). */
  readonly tool?: ToolRow
}

interface ToolRow {
  readonly name?: string
  /** Ends or binds something for good. */
  readonly final?: true
  /** The same call again changes nothing more, even without `Idempotency-Key`. */
  readonly again?: true
  /** No byte of its answer was chosen by another node. */
  readonly ours?: true
}
