import { HOUR, type Instant, instantOf } from '../base/time.js'
import type { RefuseCode } from '../tasks/log.js'
import { type HashedDefinition, hashOf, parseDefinition } from '../types/definition.js'
import { checkProposal } from '../types/proposal.js'
import type { Content, VerifiedMessage } from '../wire/message.js'
import type { Pair } from './chain.js'
import { declineOf } from './declines.js'
import type { HeldInvites } from './held-invites.js'
import type { Tx } from './ports.js'
import { type QuotaOptions, takesTask } from './quotas.js'
import type { TypeBook } from './type-book.js'

/** What an invite gets: protocols/tasks.md, clause 7, and protocols/types.md, "Types between two nodes". */

export type Invite = Extract<Content, { kind: 'task.invite' }>['body']

/** Longest life of a task in hours, both ways of the wire (protocols/tasks.md, clause 7). */
export const MAX_TASK_HOURS = 720

export type InviteVerdict =
  | { readonly is: 'open' }
  /** It waits for the owner's word on this definition. */
  | { readonly is: 'held'; readonly type: HashedDefinition }
  | { readonly is: 'refused'; readonly code: RefuseCode }

type Judge = (tx: Pick<Tx, 'get'>, pair: Pair, message: VerifiedMessage, invite: Invite, now: Instant) => InviteVerdict

export function createInviteJudge(
  components: { readonly types: TypeBook; readonly held: HeldInvites },
  quotas: QuotaOptions
): Judge {
  const { types, held } = components

  function judgeType(tx: Pick<Tx, 'get'>, pair: Pair, invite: Invite): InviteVerdict {
    const { name, version, hash } = invite.type
    const installed = types.byHash(tx, hash)
    if (installed !== undefined) return installed.retired ? refused('type_retired') : { is: 'open' }
    if (types.all(tx).some((type) => type.name === name && type.version === version)) return refused('type_mismatch')
    const type = definitionOf(invite)
    if (type === undefined) return refused('type_mismatch')
    const declined = declineOf(tx, pair, hash, 'owner') !== undefined
    return declined || !held.hasRoom(tx, pair, hash) ? refused('type_not_installed') : { is: 'held', type }
  }

  return (tx, pair, message, invite, now) => {
    const at = instantOf(message.header.at) ?? now
    const expiresAt = expiryOfInvite(invite)
    if (now > expiresAt) return refused('task_expired')
    if (expiresAt - at > MAX_TASK_HOURS * HOUR) return refused('invalid_proposal')
    if (!takesTask(tx, pair, quotas)) return refused('too_many_tasks')
    const verdict = judgeType(tx, pair, invite)
    if (verdict.is === 'refused') return verdict
    const definition = verdict.is === 'held' ? verdict.type.definition : types.byHash(tx, invite.type.hash)?.definition
    const sound = definition !== undefined && checkProposal(definition, invite.proposal).ok
    return sound ? verdict : refused('invalid_proposal')
  }
}

/** The definition that an invite carries, if it is one, of the hash that the invite names, and called as the invite says. */
export function definitionOf({ type }: Invite): HashedDefinition | undefined {
  const parsed = parseDefinition(type.definition)
  if (!parsed.ok || hashOf(parsed.value) !== type.hash) return undefined
  const { name, version } = parsed.value
  return name === type.name && version === type.version ? { definition: parsed.value, hash: type.hash } : undefined
}

/** Before 1970 is long past, and no key of a deadline can hold it. */
export function expiryOfInvite(invite: Pick<Invite, 'expiresAt'>): Instant {
  return Math.max(0, instantOf(invite.expiresAt) ?? 0)
}

function refused(code: RefuseCode): InviteVerdict {
  return { is: 'refused', code }
}
