import { refusal } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { type Address, type Signature, parseSignature } from '../payments/address.js'
import { type Rpc, unreachable } from './rpc.js'

/**
 * Asks the cluster's faucet for play money. The transaction may take its time to land. Refuses with `rate_limited` when the
 * faucet gives nothing now, which a public one often does.
 */
export async function requestAirdrop(rpc: Rpc, address: Address, lamports: number): Promise<Result<Signature>> {
  const answer = await rpc.call('requestAirdrop', [address, lamports])
  if (!answer.ok) return answer
  if ('no' in answer.value) {
    const { message } = answer.value.no
    return fail(refusal('rate_limited', `the faucet gives nothing now: ${message}`, { reason: message }))
  }
  const { result } = answer.value
  return typeof result === 'string' && parseSignature(result).ok ? ok(result) : unreachable('malformed')
}
