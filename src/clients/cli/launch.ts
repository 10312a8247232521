/** What the command line asks of the node's own code: only `init` and `start` run without a node to talk to. */

export interface InitRequest {
  /** Absolute path. */
  readonly home: string
  /** With `@`. Absent: a neutral one is made. */
  readonly handle?: string
  /** Multiaddresses. Absent: all interfaces on a port of this home's own. */
  readonly listen?: readonly string[]
}

export interface InitReport {
  /** False: the home was there already and nothing was changed. */
  readonly created: boolean
  readonly home: string
  readonly handle: string
  readonly agent: string
  readonly peerId: string
  readonly listen: readonly string[]
  /** Paths of the configuration and of the default agent's token. */
  readonly config: string
  readonly token: string
}

export interface StartRequest {
  /** Absolute path. */
  readonly home: string
  /** Dotted setting -> value, e.g. `net.listen`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Called once, when the node serves its API and listens for other nodes. */
  readonly onReady: (report: ReadyReport) => void
}

export interface ReadyReport {
  readonly pid: number
  readonly home: string
  readonly handle: string
  readonly agent: string
  readonly peerId: string
  readonly socket: string
  readonly url?: string
  readonly addrs: readonly string[]
}

/** Handed in by node/main.ts, so that no client imports the node, and nothing of it is loaded before it is needed. */
export interface Launch {
  init(request: InitRequest): Promise<InitReport>
  /** Resolves with the exit code after a clean stop. */
  start(request: StartRequest): Promise<number>
}
