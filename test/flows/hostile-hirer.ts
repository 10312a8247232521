/** A hirer whose node is a puppet: it promises what it likes, as often as it likes, and never pays by itself. */
import type { MessageId, TaskUid } from '../../src/base/ids.js'
import { toHex } from '../../src/base/bytes.js'
import type { JsonObject } from '../../src/base/json.js'
import { builtinTypes } from '../../src/node/builtin-types.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { toBase58 } from '../../src/wire/base58.js'
import type { Signer } from '../../src/wire/ed25519.js'
import { isoOf, DAY } from '../../src/base/time.js'
import type { Content } from '../../src/wire/message.js'
import { PRICE, PROVIDER, addressOf, brief, sent } from './jobs.js'
import type { Node, World } from './pair.js'
import { type Puppet, acquaint, createPuppet, say } from './puppet.js'

export interface HostileHirer {
  readonly puppet: Puppet
  /** A job that the provider agreed to. */
  job(): Promise<HostileJob>
}

interface HostileJob {
  readonly uid: string
  /** Says the next `job.pay`, after a `job.unpaid` when there was one before. Answers the terms that it promises. */
  promise(more?: Partial<Pick<PaymentTerms, 'payer' | 'reference'>>): Promise<PaymentTerms>
}

const JOB = builtinTypes().find(({ name }) => name === 'job.request')

export async function hostileHirer(world: World, bob: Node, name: string, wallet: Signer): Promise<HostileHirer> {
  const puppet = await createPuppet(world, name)
  const stream = await acquaint(world, bob, puppet)
  let made = 0

  /** A number that no other hirer of a test has. */
  function unique(): Uint8Array {
    const bytes = puppet.keys.agent.publicKey.slice()
    bytes.set([made & 255, made++ >> 8], 0)
    return bytes
  }

  async function utter(content: Content, uid: TaskUid, place: { n: number; seen: MessageId[] }): Promise<MessageId> {
    const seen = place.seen.length
    const seenId: MessageId | '' = place.seen.at(-1) ?? ''
    const message = puppet.write(bob, content, { uid, n: ++place.n, seen, seenId })
    stream.say(say(message))
    await world.rest()
    return message.id
  }

  return {
    puppet,
    async job() {
      if (JOB === undefined) throw new Error('there is no such type')
      const uid = toHex(unique()).slice(0, 32) as TaskUid
      const place = { n: 0, seen: [] as MessageId[] }
      const { version, hash, definition } = JOB
      const type = { name: JOB.name, version, hash, definition: definition as unknown as JsonObject }
      const body = { type, expiresAt: isoOf(world.clock.now() + 2 * DAY), proposal: brief() }
      await utter({ kind: 'task.invite', body }, uid, place)
      const { proposals } = sent(await world.do(bob.flows.agent.propose(bob.agent, uid, { proposal: brief() })))
      const proposalId = proposals.at(-1)?.proposalId as MessageId
      place.seen = [proposalId]
      await utter({ kind: 'task.respond', body: { proposalId, decision: 'accept' } }, uid, place)
      let attempt = 0
      return {
        uid,
        async promise({ payer = addressOf(wallet), reference = toBase58(unique()) } = {}) {
          if (attempt > 0) await utter({ kind: 'job.unpaid', body: { attempt } }, uid, place)
          await utter({ kind: 'job.pay', body: { proposalId, attempt: ++attempt, reference, payer } }, uid, place)
          return {
            cluster: 'solana:localnet',
            payer,
            recipient: addressOf(PROVIDER),
            lamports: PRICE.toString(),
            reference,
            memo: `agentlink:1:${uid}:${proposalId}`
          }
        }
      }
    }
  }
}
