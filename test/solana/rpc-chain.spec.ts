import { expect } from 'chai'
import { showLamports } from '../../src/payments/price.js'
import type { Result } from '../../src/base/result.js'
import type { Chain } from '../../src/flows/ports.js'
import type { PaymentTerms } from '../../src/payments/terms.js'
import { decodeTransaction } from '../../src/payments/transaction.js'
import { transferMessage, withSignature } from '../../src/payments/transfer.js'
import { verifyPayment } from '../../src/payments/verify.js'
import { type Localnet, startLocalnet } from '../../src/solana/localnet/localnet.js'
import { createRpcChain } from '../../src/solana/rpc-chain.js'
import { createRpc } from '../../src/solana/rpc.js'
import { signerOf } from '../../src/wire/ed25519.js'
import { TERMS, addressOf, payer } from '../payments/made.js'

function chainAt(url: string, deadlineMs = 5000, wallet = payer): Chain {
  return createRpcChain({ rpc: createRpc({ url, deadlineMs }), cluster: 'solana:localnet', wallet })
}

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.refusal))
  return result.value
}

function codeOf(result: Result<unknown>): string {
  return result.ok ? 'ok' : `${result.refusal.code} ${result.refusal.details.code ?? ''}`
}

/** 64 zero bytes. */
const NEVER_SENT = '1'.repeat(64)
const UNKNOWN = 'unavailable chain_unreachable'

describe('The chain over RPC', () => {
  let net: Localnet
  const time = Date.parse('2026-12-02T12:00:00.000Z')
  let references = 0x80

  before(async () => {
    net = await startLocalnet(0, () => time)
    await rpc('requestAirdrop', [TERMS.payer, 10_000_000_000])
  })
  after(() => net.stop())
  afterEach(() => net.setFaults([]))

  async function rpc(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    return ((await (await fetch(net.url, { method: 'POST', body })).json()) as { readonly result: unknown }).result
  }

  function terms(over: Partial<PaymentTerms> = {}): PaymentTerms {
    references += 1
    return { ...TERMS, lamports: '5000000', reference: addressOf(references), ...over }
  }

  it('signs, sends, finds and fetches a payment that is then found paid', async () => {
    const chain = chainAt(net.url)
    expect(chain.address()).to.equal(TERMS.payer)
    const owed = terms()
    const quote = { issuedSlot: valueOf(await chain.slot()), expiresAt: time + 60_000 }
    const before = valueOf(await chain.balance(owed.recipient))
    const signed = valueOf(await chain.sign(owed))
    expect(valueOf(await chain.fetch(signed.signature))).to.equal(undefined)
    expect(codeOf(await chain.send(signed.bytes))).to.equal('ok')
    expect(codeOf(await chain.send(signed.bytes))).to.equal('ok')
    expect(valueOf(await chain.find(owed.reference))).to.deep.equal([signed.signature])
    const tx = valueOf(await chain.fetch(signed.signature))
    expect(tx && verifyPayment(owed, quote, tx)).to.include({ paid: true, signature: signed.signature })
    expect(showLamports(valueOf(await chain.balance(owed.recipient)) - before)).to.equal('0.005 SOL')
  })

  it('keeps every digit of a balance above 2^53', async () => {
    const rich = addressOf(0x70)
    await rpc('requestAirdrop', [rich, Number.MAX_SAFE_INTEGER])
    await rpc('requestAirdrop', [rich, 2_000_000])
    expect(valueOf(await chainAt(net.url).balance(rich))).to.equal(BigInt(Number.MAX_SAFE_INTEGER) + 2_000_000n)
  })

  it('finds what lies behind a thousand others', async () => {
    const chain = chainAt(net.url)
    const owed = terms()
    const signed = valueOf(await chain.sign(owed))
    expect(codeOf(await chain.send(signed.bytes))).to.equal('ok')
    const blockhash = decodeTransaction(signed.bytes)?.lifetime ?? ''
    for (let batch = 0; batch < 11; batch++)
      await rpcBatch(Array.from({ length: 91 }, (_, i) => spam(owed, blockhash, batch * 91 + i)))
    const found = valueOf(await chain.find(owed.reference))
    expect([found.length, found.at(-1)]).to.deep.equal([1002, signed.signature])
  })

  function spam(owed: PaymentTerms, blockhash: string, number: number): readonly unknown[] {
    const message = transferMessage({ ...owed, lamports: '1', memo: String(number) }, blockhash)
    if (message === undefined) throw new Error('these terms have no transaction')
    const bytes = withSignature(payer.sign(message), message)
    return [Buffer.from(bytes).toString('base64'), { encoding: 'base64', skipPreflight: true }]
  }

  async function rpcBatch(sends: ReadonlyArray<readonly unknown[]>): Promise<void> {
    const calls = sends.map((params, id) => ({ jsonrpc: '2.0', id, method: 'sendTransaction', params }))
    await fetch(net.url, { method: 'POST', body: JSON.stringify(calls) })
  }

  it('refuses to sign for another wallet, another cluster, to itself, or without a wallet', async () => {
    const chain = chainAt(net.url)
    expect(codeOf(await chain.sign(terms({ payer: addressOf(0x71) })))).to.equal('conflict payer_mismatch')
    expect(codeOf(await chain.sign(terms({ cluster: 'solana:devnet' })))).to.equal('conflict payer_mismatch')
    expect(codeOf(await chain.sign(terms({ recipient: TERMS.payer })))).to.equal('conflict payer_mismatch')
    const bare = createRpcChain({
      rpc: createRpc({ url: net.url, deadlineMs: 1000 }),
      cluster: 'solana:localnet',
      wallet: undefined
    })
    expect(bare.address()).to.equal(undefined)
    expect(codeOf(await bare.sign(terms()))).to.equal('conflict wallet_needed')
  })

  it('says why a transaction is not taken, which proves nothing', async () => {
    const poor = signerOf(new Uint8Array(32).fill(0x72))
    const chain = chainAt(net.url, 5000, poor)
    const signed = valueOf(await chain.sign(terms({ payer: addressOf(0x72) })))
    expect(await chain.send(signed.bytes)).to.deep.include({ ok: false })
    expect(codeOf(await chain.send(signed.bytes))).to.equal('conflict transaction_refused')
  })

  it('has a payment dead only past its last height, by a height that never falls', async () => {
    const chain = chainAt(net.url)
    const signed = valueOf(await chain.sign(terms()))
    const height = valueOf(await chain.blockHeight())
    expect(signed.lastValidBlockHeight).to.be.within(height + 100, height + 300)
    await rpc('localnet_skip', [300])
    expect(valueOf(await chain.blockHeight())).to.be.greaterThan(signed.lastValidBlockHeight)
    expect(codeOf(await chain.send(signed.bytes))).to.equal('conflict transaction_refused')
    expect(valueOf(await chain.fetch(signed.signature))).to.equal(undefined)
  })

  it('refuses mainnet, at once and after any trouble', async () => {
    const chain = chainAt(net.url)
    expect(codeOf(await chain.check())).to.equal('ok')
    net.setFaults(['429'])
    expect(codeOf(await chain.slot())).to.equal(UNKNOWN)
    net.setFaults(['mainnet'])
    for (const ask of [() => chain.slot(), () => chain.sign(terms()), () => chain.balance(TERMS.payer)]) {
      expect(codeOf(await ask())).to.equal('unavailable chain_mismatch')
    }
    net.setFaults([])
    expect(codeOf(await chain.slot())).to.equal('ok')
  })

  for (const fault of ['429', 'truncated', 'hang'] as const) {
    it(`learns nothing from a node that does this: ${fault}`, async () => {
      const chain = chainAt(net.url, 150)
      expect(codeOf(await chain.check())).to.equal('ok')
      net.setFaults([fault])
      const asked = [
        () => chain.slot(),
        () => chain.balance(TERMS.payer),
        () => chain.find(TERMS.reference),
        () => chain.fetch(NEVER_SENT),
        () => chain.sign(terms())
      ]
      for (const ask of asked) expect(codeOf(await ask())).to.equal(UNKNOWN)
    })
  }

  it('does not go back in time with the node', async () => {
    const chain = chainAt(net.url)
    const slot = valueOf(await chain.slot())
    net.setFaults(['behind'])
    expect(codeOf(await chain.slot())).to.equal(UNKNOWN)
    expect(codeOf(await chain.blockHeight())).to.equal(UNKNOWN)
    expect(codeOf(await chain.fetch(NEVER_SENT))).to.equal(UNKNOWN)
    net.setFaults([])
    expect(valueOf(await chain.slot())).to.be.at.least(slot)
  })
})
