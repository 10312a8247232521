import { toUtf8 } from '../base/bytes.js'
import { parseTypeHash } from '../base/ids.js'
import { badRequest, conflict, refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { isoOf } from '../base/time.js'
import { type InstalledType, findType } from '../types/catalog.js'
import { type HashedDefinition, readDefinition } from '../types/definition.js'
import { inspect } from '../types/inspection.js'
import type { AgentBook } from './agents.js'
import { record } from './audit.js'
import type { ContactBook } from './contact-book.js'
import { liftDeclines } from './declines.js'
import type { OwnerDoor } from './doors.js'
import type { HeldInvites } from './held-invites.js'
import { agentPrefix } from './keys.js'
import type { Clock, Store, Tx } from './ports.js'
import type { DeclineRecord } from './records/tasks.js'
import type { StepTx, Steps } from './steps.js'
import type { TypeBook } from './type-book.js'
import { inspectionOf } from './type-view.js'
import type { Page } from './views/pages.js'
import type { DeclineView, OwnerTypeView } from './views/types.js'

/** What an owner does with task types: look at them, install them from files, retire them (protocols/types.md). */
export type TypeDoor = Pick<
  OwnerDoor,
  'types' | 'type' | 'inspectType' | 'installType' | 'retireType' | 'declines' | 'liftDecline'
>

export function createTypeDoor(components: {
  readonly store: Store
  readonly steps: Steps
  readonly agents: AgentBook
  readonly contacts: ContactBook
  readonly types: TypeBook
  readonly held: HeldInvites
  readonly clock: Clock
}): TypeDoor {
  const { store, steps, agents, contacts, types, held, clock } = components

  /** The whole of a definition file as text. Refuses as `readDefinition` does, the field below `file`. */
  function readFile(file: string): Result<HashedDefinition> {
    const read = readDefinition(toUtf8(file))
    if (read.ok) return read
    const { details } = read.refusal
    const field = details.field === undefined ? 'file' : `file.${details.field}`
    return fail({ ...read.refusal, details: { ...details, field } })
  }

  function view(tx: Pick<Tx, 'get'>, type: InstalledType): OwnerTypeView {
    const { name, version, hash, builtin, retired, definition } = type
    const since = types.recordOf(tx, hash)
    return {
      name,
      version,
      hash,
      builtin,
      state: retired ? 'retired' : 'active',
      title: definition.title,
      customCapabilities: inspect(definition).customCapabilities,
      ...(since === undefined ? {} : { installedAt: isoOf(since.installedAt) }),
      ...(since?.retiredAt === undefined ? {} : { retiredAt: isoOf(since.retiredAt) })
    }
  }

  function install(tx: StepTx, type: HashedDefinition): OwnerTypeView {
    const now = clock.now()
    if (types.byHash(tx, type.hash)?.retired !== false) {
      types.install(tx, type, now)
      record(tx, { at: now, who: { kind: 'owner' }, what: 'type.installed', about: { type: type.hash } })
      held.settle(tx, now)
    }
    return view(tx, found(tx, type))
  }

  function found(tx: Pick<Tx, 'get'>, { hash }: { readonly hash: HashedDefinition['hash'] }): InstalledType {
    const type = types.byHash(tx, hash)
    if (type === undefined) throw new Error(`type ${hash} was staged and is not there`)
    return type
  }

  function retire(tx: StepTx, ref: string): Result<OwnerTypeView> {
    const meant = findType(types.all(tx), ref)
    if (!meant.ok) return meant
    if (meant.value.retired) return fail(conflict('illegal_transition', 'This type is retired already.'))
    const now = clock.now()
    types.retire(tx, meant.value, now)
    record(tx, { at: now, who: { kind: 'owner' }, what: 'type.retired', about: { type: meant.value.hash } })
    held.settle(tx, now)
    return ok(view(tx, found(tx, meant.value)))
  }

  /** Refuses with `not_found` when nothing was declined. */
  function lift(tx: StepTx, options: Parameters<OwnerDoor['liftDecline']>[0]): Result<Page<DeclineView>> {
    const agent = agents.pick(tx, options.agent)
    if (!agent.ok) return agent
    const contact = contacts.resolve(tx, agent.value.agent, options.contact)
    if (!contact.ok) return contact
    const hash = parseTypeHash(options.type, 'type')
    if (!hash.ok) return hash
    const lifted = liftDeclines(tx, agent.value.agent, contact.value.peer, hash.value)
    if (lifted.length > 0) return ok({ items: lifted.map(declineView) })
    const message = 'Nothing was declined between these two for this type. `agentlink type declines` shows what was.'
    return fail(refusal('not_found', message, { field: 'type' }))
  }

  /** Our owner's no to what our owner installed since. */
  function isOver({ by, type }: DeclineRecord): boolean {
    return by === 'owner' && types.byHash(store, type.hash) !== undefined
  }

  return {
    types: () => steps.read((tx) => ({ items: types.all(tx).map((type) => view(tx, type)) })),
    type: (ref) =>
      steps.read((tx) => {
        const meant = findType(types.all(tx), ref)
        return meant.ok ? ok({ type: view(tx, meant.value), inspection: inspectionOf(tx, types, meant.value) }) : meant
      }),
    async inspectType({ file }) {
      const read = readFile(file)
      return read.ok ? steps.read((tx) => ok(inspectionOf(tx, types, read.value))) : read
    },
    async installType({ file, hash }) {
      const read = readFile(file)
      if (!read.ok) return read
      if (hash !== undefined && hash !== read.value.hash) {
        return fail(badRequest('invalid_field', `the file has the hash ${read.value.hash}, not this one`, 'hash'))
      }
      return steps.run((tx) => ok(install(tx, read.value)))
    },
    retireType: (ref) => steps.run((tx) => retire(tx, ref)),
    async declines(options) {
      const agent = agents.pick(store, options.agent)
      if (!agent.ok) return agent
      const found = await store.range('declines', { prefix: agentPrefix(agent.value.agent) })
      const standing = found.map(([, decline]) => decline).filter((decline) => !isOver(decline))
      return ok({ items: standing.map(declineView) })
    },
    liftDecline: (options) => steps.run((tx) => lift(tx, options))
  }
}

function declineView({ agent, peer, by, type, code, at }: DeclineRecord): DeclineView {
  return { agent, participant: peer, type, by, code, at: isoOf(at) }
}
