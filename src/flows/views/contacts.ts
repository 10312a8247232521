/** The owner's agents, their contacts, and what each of these may learn. Source: protocols/socket-api.md. */

export interface ContactView {
  readonly agent: string
  readonly handle: string
  readonly alias?: string
  readonly status: 'requested' | 'pending' | 'active' | 'blocked' | 'removed'
  readonly reason?: string
  readonly frozen?: true
  readonly since: string
  /** Owner only: where its node is. */
  readonly peerId?: string
  readonly addrs?: readonly string[]
  /** Messages that wait for its node. */
  readonly undelivered: number
}

export interface CapabilityView {
  readonly capability: string
  readonly effect: 'allow' | 'ask' | 'deny'
  /** The grant that decides, or `default` when nothing was said. */
  readonly because: { readonly contact: string; readonly capability: string } | 'default'
}

export interface GrantView {
  readonly contact: string
  readonly capability: string
  readonly effect: 'allow' | 'ask' | 'deny'
}

/** What a preset does to the rules of an agent. */
export interface PresetView {
  readonly preset: 'open' | 'balanced' | 'private'
  readonly agent: string
  /** Names exactly this: agent, preset, and the rules that it was worked out from. */
  readonly digest: string
  /** Towards a contact of whom nothing special was said. */
  readonly capabilities: ReadonlyArray<{
    readonly capability: string
    readonly now: GrantView['effect']
    readonly becomes: GrantView['effect']
  }>
  /** Rules for every contact that come or change, and those that go. */
  readonly sets: readonly GrantView[]
  readonly removes: readonly GrantView[]
  /** Rules for one contact: they stay, and outrank the others. */
  readonly keeps: readonly GrantView[]
}

/** One of the owner's agents. */
export interface AgentView {
  readonly agent: string
  readonly name: string
  readonly handle: string
}

export interface InviteView {
  readonly link: string
  readonly expiresAt?: string
}
