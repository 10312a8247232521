import { type Result, fail, ok } from './result.js'
import { badRequest } from './refusal.js'

declare const brand: unique symbol
type Branded<T extends string> = string & { readonly [brand]: T }

/** `al1…`: bech32m of one version byte and the 32-byte Ed25519 public key (protocols/identity.md). */
export type AgentId = Branded<'AgentId'>
/** SHA-256 of the payload bytes of a message, 64 lower-case hex digits. `proposalId` is one of these. */
export type MessageId = Branded<'MessageId'>
/** 128 random bits made by the inviter's node, 32 lower-case hex digits; scoped to the contact. */
export type TaskUid = Branded<'TaskUid'>
/** SHA-256 of the canonical bytes of a definition, 64 lower-case hex digits. */
export type TypeHash = Branded<'TypeHash'>
/** 48 bits of its time in milliseconds, then 80 random bits: 32 lower-case hex digits. */
export type ApprovalId = Branded<'ApprovalId'>
/** libp2p peer id of a node, base58btc `12D3KooW…`. */
export type PeerId = Branded<'PeerId'>

const HEX_32 = /^[0-9a-f]{32}$/
const HEX_64 = /^[0-9a-f]{64}$/

/** Parses a message id. Refuses with `malformed_id`. */
export function parseMessageId(text: string, field = 'id'): Result<MessageId> {
  return HEX_64.test(text) ? ok(text as MessageId) : malformed(field, '64 lower-case hex digits')
}

/** Parses a task uid. Refuses with `malformed_id`. */
export function parseTaskUid(text: string, field = 'taskUid'): Result<TaskUid> {
  return HEX_32.test(text) ? ok(text as TaskUid) : malformed(field, '32 lower-case hex digits')
}

/** Parses a type hash. Refuses with `malformed_id`. */
export function parseTypeHash(text: string, field = 'hash'): Result<TypeHash> {
  return HEX_64.test(text) ? ok(text as TypeHash) : malformed(field, '64 lower-case hex digits')
}

/** Parses an approval id. Refuses with `malformed_id`. */
export function parseApprovalId(text: string, field = 'approvalId'): Result<ApprovalId> {
  return HEX_32.test(text) ? ok(text as ApprovalId) : malformed(field, '32 lower-case hex digits')
}

function malformed(field: string, shape: string): ReturnType<typeof fail> {
  return fail(badRequest('malformed_id', `${field} must be ${shape}`, field))
}
