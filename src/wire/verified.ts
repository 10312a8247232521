/** The one place where a verified message comes into being; imported by `open.ts` and `seal.ts` alone. */
import type { MessageId } from '../base/ids.js'
import { sha256Hex } from '../base/digest.js'
import type { Content, Header, VerifiedMessage } from './message.js'

/** Vouches that `bytes` are the signed message with this payload, header and content. */
export function vouch(
  bytes: Uint8Array,
  payload: Uint8Array,
  read: { readonly header: Header; readonly content: Content | undefined }
): VerifiedMessage {
  const message = {
    bytes,
    id: sha256Hex(payload) as MessageId,
    header: Object.freeze(read.header),
    content: read.content === undefined ? undefined : Object.freeze(read.content)
  }
  return Object.freeze(message) as VerifiedMessage
}
