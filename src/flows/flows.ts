import type { AgentId } from '../base/ids.js'
import type { SpendLimits } from '../policy/spend.js'
import type { InstalledType } from '../types/catalog.js'
import { createActions } from './actions.js'
import { createAgentRoster } from './agent-roster.js'
import { createAgentBook, type HostedAgent } from './agents.js'
import { createAgentDoor } from './agent-door.js'
import { createApprovalKinds } from './approval-kinds.js'
import { createApprovals } from './approvals.js'
import { createAskBook } from './ask-book.js'
import { createCalendars } from './calendars.js'
import { type Pair, chainOf } from './chain.js'
import { createChanges } from './changes.js'
import { createContactBook } from './contact-book.js'
import { createDisclosures } from './disclosures.js'
import { tellDenial } from './denials.js'
import type { AgentDoor, NodeStatus, OwnerDoor, RefusedCall } from './doors.js'
import { createEnvelopeBook } from './envelope-book.js'
import { createEnvelopeDesk } from './envelope-desk.js'
import { createEnvelopeDoor } from './envelope-door.js'
import { createEnvelopeIntake } from './envelope-intake.js'
import { createEnvelopePlanner } from './envelope-plan.js'
import { createEnvelopeSubmit } from './envelope-submit.js'
import { createEnvelopeViews } from './envelope-view.js'
import { createJobBook } from './job-book.js'
import { createJobGuard } from './job-guard.js'
import { createJobPay } from './job-pay.js'
import { createJobPayer } from './job-payer.js'
import { createJobReminders } from './job-reminders.js'
import { type JobRounds, createJobRounds } from './job-rounds.js'
import { createJobSteps } from './job-steps.js'
import { createJobWatch } from './job-watch.js'
import { createHealth } from './health.js'
import { createHeldInvites } from './held-invites.js'
import { createInboxDoor } from './inbox-door.js'
import { createInbound } from './inbound.js'
import { createKnownContacts } from './known-contacts.js'
import { createLanes } from './lanes.js'
import { nodeStatus } from './node-status.js'
import { createOwnerDoor } from './owner-door.js'
import { createOwnerWork } from './owner-work.js'
import { createLocalLink } from './local-link.js'
import { createOfferBook } from './offer-book.js'
import { createOfferDoor } from './offer-door.js'
import { createOfferGuard } from './offer-guard.js'
import { createPlanner } from './plan.js'
import { publishCards } from './publish-cards.js'
import type { AgentPlaces, Chain, Clock, Keyring, Link, Log, Random, Store } from './ports.js'
import { createReceive } from './receive.js'
import type { QuotaOptions } from './quotas.js'
import { createRefuse } from './refuse.js'
import { settleRestored } from './restored.js'
import { type Effect, createSteps } from './steps.js'
import { createSubmit } from './submit.js'
import { createSweep } from './sweep.js'
import { createTaskBook } from './task-book.js'
import { createTaskIntake } from './task-intake.js'
import { createTaskViews } from './task-view.js'
import { createTranscripts } from './transcripts.js'
import { createTurns } from './turns.js'
import { createTypeBook } from './type-book.js'
import { createWallet } from './wallet.js'

/** A node without its walls: all journeys over the ports. The daemon and the simulator build the same one. */
export interface Flows {
  readonly agent: AgentDoor
  readonly owner: OwnerDoor
  /** Before `start`, for each agent of the home. */
  hostAgent(agent: HostedAgent): void
  agentOfToken(tokenHash: string): AgentId | undefined
  /** Tells of it in the audit log. Resolves when that is on disk; a disk that takes nothing is no reason to reject. */
  callRefused(call: RefusedCall): Promise<void>
  /** The link is listening: its peer id and addresses are known. */
  start(): Promise<void>
  stop(): Promise<void>
  status(): NodeStatus
  /** Whether input waits to be taken: a batch that isn't full waits for it. */
  busy(): boolean
}

/** Where jobs are paid, how much may be, and how often the chain is asked. */
export interface Payments {
  readonly chain: Chain
  readonly spend: SpendLimits
  /** Milliseconds. */
  readonly pollMs: number
}

export interface FlowsComponents {
  readonly store: Store
  readonly link: Link
  readonly clock: Clock
  readonly random: Random
  readonly keyring: Keyring
  readonly places: AgentPlaces
  /** Without it this node makes and takes no payments. */
  readonly payments?: Payments
  readonly log: Log
  /** The built-in types. */
  readonly types: readonly InstalledType[]
}

/** What an owner may change; the values are in config/default.toml. */
export interface FlowsOptions {
  /** How long a question waits for the owner, hours. */
  readonly approvalHours: number
  /** Open questions of one agent, at the most. */
  readonly openApprovals: number
  /** Pauses between attempts to reach a node, milliseconds. */
  readonly backoff: { readonly firstMs: number; readonly maxMs: number }
  /** How often deadlines are looked at, milliseconds. */
  readonly sweepMs: number
  /** How long the other node may take for its hello, milliseconds. */
  readonly helloMs: number
  /** Strangers that may wait for the owner's answer, for each agent. */
  readonly pendingContacts: number
  /** Messages on their way to one contact without a receipt, at the most. */
  readonly window: number
  /** Own messages that may wait for one contact. */
  readonly queuePerContact: number
  /** What may be under way. */
  readonly quotas: QuotaOptions
}

/** What a node may pay that has no chain. */
const NOTHING: SpendLimits = { perJob: 0n, perDay: 0n }

export function createFlows(components: FlowsComponents, options: FlowsOptions): Flows {
  const { store, clock, random, keyring, places, log } = components
  const link = createLocalLink({ link: components.link, clock })
  let stopped = false

  // In the order of the ladder inside this folder: each part names what it needs.
  const changes = createChanges()
  const steps = createSteps({
    store,
    perform,
    committed: (tables) => changes.committed(tables),
    review(tx, touched) {
      approvals.review(tx, touched, clock.now())
      held.resume(tx, touched, clock.now())
    }
  })
  const turns = createTurns({ clock }, { onIdle: () => store.kick(), onFailure: broken })
  const agents = createAgentBook({ keyring, link })
  const contactBook = createContactBook({ keyring }, options)
  const known = createKnownContacts({ store, link, agents, contacts: contactBook })
  const offers = createOfferBook({ contacts: contactBook, contactsOf: (agent) => known.of(agent) })
  const types = createTypeBook(components.types)
  const book = createTaskBook()
  const asks = createAskBook({ random, clock }, options)
  const views = createTaskViews({ book, obstacle: (pair) => lanes.find(pair)?.obstacle() })
  const refuse = createRefuse({ book, keyring })
  const held = createHeldInvites({ agents, contacts: contactBook, book, types, asks, refuse })
  const chain = components.payments?.chain
  const jobs = createJobBook({ book, slot: () => rounds?.slot() ?? 0 })
  const guard = createJobGuard({ purse: chain })
  const offerGuard = createOfferGuard({ offers })
  const planner = createPlanner({ contacts: contactBook, book, types, guard, offerGuard, random })
  const disclosures = createDisclosures({ asks, book, contacts: contactBook, types })
  const submit = createSubmit({ steps, planner, book, jobs, disclosures, views, keyring, clock }, options)
  const envelopeBook = createEnvelopeBook()
  const envelopeDesk = createEnvelopeDesk({ book: envelopeBook, keyring })
  const envelopePlanner = createEnvelopePlanner({ book: envelopeBook, contacts: contactBook, random })
  const envelopeViews = createEnvelopeViews({
    book: envelopeBook,
    obstacle: (pair) => lanes.find(pair)?.obstacle()
  })
  const envelopeParts = { book: envelopeBook, desk: envelopeDesk, planner: envelopePlanner, views: envelopeViews }
  const envelopeSubmit = createEnvelopeSubmit({ ...envelopeParts, steps, asks, keyring, clock }, options)
  const envelopes = createEnvelopeIntake(envelopeParts)
  const actions = createActions({ steps, submit, asks, book, contacts: contactBook, types, clock, random })
  const spend = components.payments?.spend ?? NOTHING
  const pay = createJobPay({ steps, submit, asks, book, jobs, views, purse: chain, clock, random }, { spend })
  const jobSteps = createJobSteps({ steps, submit, asks, book, views, clock })
  const rounds = components.payments === undefined ? undefined : roundsOn(components.payments)
  const kinds = createApprovalKinds({
    payment: pay.kind,
    delivery: jobSteps.kind,
    disclosures,
    actions,
    submit,
    envelopes: envelopeSubmit,
    contacts: contactBook,
    types,
    held
  })
  const approvals = createApprovals({
    store,
    steps,
    asks,
    kinds,
    agents,
    contacts: contactBook,
    envelopes: envelopeBook,
    clock
  })
  const intake = createTaskIntake({ book, types, held, refuse, jobs }, options)
  const lanes = createLanes(
    { store, steps, link, clock, random, log, contacts: contactBook, book, types, jobs, envelopes, offers },
    options
  )
  const receive = createReceive({ steps, contacts: contactBook, intake, envelopes, offers, clock, log })
  const inbound = createInbound(
    {
      store,
      steps,
      receive,
      turns,
      contacts: contactBook,
      offers,
      keyring,
      clock,
      log,
      isOurs: (agent) => agents.isOurs(agent),
      heard
    },
    options
  )
  const offerDoor = createOfferDoor({ store, steps, agents, contacts: contactBook, offers, clock, random })
  const calendars = createCalendars({ store, steps, book, contacts: contactBook, types, clock })
  const transcripts = createTranscripts({ store, steps, book, envelopes: envelopePlanner, keyring, clock })
  const roster = createAgentRoster({ steps, agents, asks, places, clock, silence })
  const inbox = createInboxDoor({ store, steps, book, envelopes: { book: envelopeBook, views: envelopeViews }, clock })
  const sweep = createSweep(
    {
      store,
      steps,
      approvals,
      envelopes: envelopeDesk,
      book,
      held,
      jobs: createJobReminders({ book, jobs, log }),
      clock,
      log
    },
    options
  )

  /** Both sides of the chain: what we pay, and what we are paid. */
  function roundsOn({ chain, pollMs }: Payments): JobRounds {
    const parts = { steps, submit, book, jobs, chain, clock, log }
    const sides = { payer: createJobPayer(parts), watch: createJobWatch(parts) }
    return createJobRounds({ store, book, ...sides, chain, clock, log }, { pollMs })
  }

  function broken(error: unknown): void {
    log.warn('input failed', { why: error instanceof Error ? error.message : 'unknown' })
  }

  function perform(effect: Effect): void {
    // Of an agent that was revoked while the step was on its way to the disk, nothing follows.
    if (stopped) return
    if (effect.do === 'chain') return rounds?.soon()
    if (!agents.isOurs('pair' in effect ? effect.pair.agent : effect.agent)) return
    switch (effect.do) {
      case 'deliver':
        return lanes.to(effect.pair).offer(effect.seq)
      case 'reach':
        return lanes.to(effect.pair).hurry()
      case 'inbox':
        return inbox.arrived(effect.agent)
      case 'contact':
        return contactChanged(effect.pair)
      case 'hush':
        return inbound.cut(effect.pair)
      case 'cut':
        lanes.cut(effect.pair)
        return inbound.cut(effect.pair)
    }
  }

  /** An agent that is hosted no more has no streams, and its contacts no reserved slots. */
  function silence(agent: AgentId): void {
    for (const pair of known.of(agent)) {
      lanes.cut(pair)
      inbound.cut(pair)
    }
    known.forget(agent)
  }

  function contactChanged(pair: Pair): void {
    known.changed(pair)
    if (offers.owes(store, pair)) void steps.run((tx) => offers.settle(tx, pair, clock.now())).catch(broken)
  }

  function heard(pair: Pair, held: number): void {
    lanes.to(pair).hurry(held)
  }

  async function start(): Promise<void> {
    await known.load()
    await settleRestored({ store, steps, contacts: contactBook, approvals, clock })
    await publishCards({ steps, agents, contacts: contactBook, known, clock })
    await steps.run((tx) => known.all().forEach((contact) => offers.settle(tx, contact, clock.now())))
    link.onChannel((channel) => (stopped ? channel.abort('stopped') : inbound.accept(channel)))
    for (const record of known.all()) {
      lanes.to(record).offer(chainOf(store, record).out.seq)
      lanes.to(record).greet()
    }
    sweep.start()
    rounds?.start()
  }

  async function callRefused({ who, route }: RefusedCall): Promise<void> {
    const about = who.kind === 'agent' && who.id !== undefined ? { agent: who.id, route } : { route }
    try {
      await steps.runLazily((tx) => tellDenial(tx, { who, what: 'call.refused', about }, clock.now()))
    } catch (error) {
      log.warn('refused call not told', { route, why: error instanceof Error ? error.message : 'unknown' })
    }
  }

  async function stop(): Promise<void> {
    stopped = true
    sweep.stop()
    rounds?.stop()
    inbox.stop()
    inbound.stop()
    lanes.stop()
    // What a failed disk did not take was promised to nobody.
    await store.durable().catch(() => undefined)
  }

  const agentDoor = createAgentDoor({
    store,
    steps,
    submit,
    actions,
    pay,
    jobSteps,
    book,
    views,
    contacts: contactBook,
    approvals,
    offers: offerDoor.agent,
    envelopes: createEnvelopeDoor({ ...envelopeParts, store, steps, submit: envelopeSubmit, clock }),
    inbox,
    types,
    transcripts,
    clock
  })

  return {
    agent: agentDoor,
    owner: createOwnerDoor({
      store,
      changes,
      steps,
      agents,
      roster,
      contacts: contactBook,
      approvals,
      types,
      held,
      transcripts,
      calendars,
      offers: offerDoor.owner,
      health: createHealth({
        steps,
        link,
        contacts: () => known.all(),
        laneOf: (pair) => lanes.find(pair),
        startedAt: clock.now()
      }),
      wallet: createWallet({ steps, agents, contacts: contactBook, book, jobs, chain, clock }, { spend }),
      work: createOwnerWork({
        store,
        steps,
        agents,
        contacts: contactBook,
        types,
        reads: agentDoor,
        submit,
        envelopeSubmit
      }),
      book,
      clock,
      random
    }),
    hostAgent: (agent) => agents.host(agent),
    agentOfToken: (hash) => agents.byTokenHash(hash),
    callRefused,
    start,
    stop,
    status: () => nodeStatus({ store, link, agents, known, lanes }),
    busy: () => turns.busy()
  }
}
