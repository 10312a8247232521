/**
 * What an RPC node does wrong in the wild, to be switched on one by one: each is a bug report about a real one. They change
 * answers, never the chain itself, except that `dropped` and `late` keep a transaction from it.
 */
export const FAULTS = {
  dropped: 'sendTransaction answers with the signature, and the transaction never lands',
  late: 'the same, and it lands 10 seconds later, if its blockhash still holds then',
  forgotten: 'the node knows of no transaction, whatever landed',
  lying: 'getTransaction shows another transaction than the one asked for',
  behind: 'the node is 1000 slots behind: what landed since then is not there',
  mainnet: 'the genesis hash is that of mainnet',
  '429': 'HTTP 429 for every call',
  hang: 'no call is ever answered',
  truncated: 'half of each answer, then the end'
} as const
export type Fault = keyof typeof FAULTS

/** Whether a word is the name of a fault. */
export function isFault(word: unknown): word is Fault {
  return typeof word === 'string' && Object.hasOwn(FAULTS, word)
}
