import { randomBytes } from 'node:crypto'

/** JSON as an RPC node writes it: like any other, but whole numbers may have 64 bits. */
export type RpcJson =
  null | boolean | number | bigint | string | readonly RpcJson[] | { readonly [key: string]: RpcJson | undefined }

/** Marks a large number until its quotes are taken off; random, so that no text of a client can pass for one. */
const MARK = `\u{2063}${randomBytes(12).toString('hex')}:`
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, 'g')

/** Writes JSON with every digit of the large numbers. */
export function rpcText(value: RpcJson): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? plain(inner) : inner)).replaceAll(
    MARKED,
    '$1'
  )
}

function plain(value: bigint): number | string {
  const small = Number(value)
  return Number.isSafeInteger(small) ? small : `${MARK}${value}`
}
