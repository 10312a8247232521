/** The one place where a verified message comes into being; imported by `open.ts` and `seal.ts` alone. */
import type { MessageId } from '../base/ids.js'
import { sha256Hex } from '../base/digest.js'
import { Notes } from '../base/notes.js'
import type { Content, Header, VerifiedMessage } from './message.js'

/** Messages by the very bytes that they were read from: what was opened or sealed need not be parsed again. */
const vouched = new Notes<Uint8Array, VerifiedMessage>()

/** The message that was vouched for with this very object, if it was. Bytes are never changed in place. */
export function vouchedFor(bytes: Uint8Array): VerifiedMessage | undefined {
  return vouched.of(bytes)
}

/** Vouches that `bytes` are the signed message with this payload, header and content. */
export function vouch(
  bytes: Uint8Array,
  payload: Uint8Array,
  read: { readonly header: Header; readonly content: Content | undefined }
): VerifiedMessage {
  const message = Object.freeze({
    bytes,
    id: sha256Hex(payload) as MessageId,
    header: Object.freeze(read.header),
    content: read.content === undefined ? undefined : Object.freeze(read.content)
  }) as VerifiedMessage
  vouched.write(bytes, message)
  return message
}
