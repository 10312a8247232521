import { expect } from 'chai'
import { type Server, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Result } from '../../src/base/result.js'
import type { Chain } from '../../src/flows/ports.js'
import { verifyPayment } from '../../src/payments/verify.js'
import { GENESIS } from '../../src/solana/genesis.js'
import { createRpcChain } from '../../src/solana/rpc-chain.js'
import { createRpc } from '../../src/solana/rpc.js'
import { toBase58 } from '../../src/wire/base58.js'
import { QUOTE, TERMS, landed, payer } from '../payments/made.js'

type Script = Readonly<Record<string, unknown>>

const UNKNOWN = 'unavailable chain_unreachable'
const HONEST: Script = {
  getGenesisHash: GENESIS['solana:localnet'],
  getEpochInfo: { absoluteSlot: 5000, blockHeight: 4000, epoch: 1 },
  getBalance: { context: { slot: 5000 }, value: 7 },
  getSignatureStatuses: { context: { slot: 5000 }, value: [null] },
  getSignaturesForAddress: [],
  getTransaction: null
}
const paid = landed(TERMS)
const META = {
  err: null,
  preBalances: paid.preBalances.map(Number),
  postBalances: paid.postBalances.map(Number),
  innerInstructions: [],
  loadedAddresses: { writable: [], readonly: [] }
}
const TOLD = {
  slot: paid.slot,
  blockTime: (paid.blockTime ?? 0) / 1000,
  version: 'legacy',
  meta: META,
  transaction: [Buffer.from(paid.bytes).toString('base64'), 'base64']
}

describe('An RPC node that can not be trusted', () => {
  let server: Server
  let script: Script = HONEST
  let raw: ((response: ServerResponse, id: number) => void) | undefined
  let asked: string[] = []
  let chain: Chain

  before((done) => {
    server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const call = JSON.parse(Buffer.concat(parts).toString()) as { readonly id: number; readonly method: string }
        asked.push(call.method)
        if (raw !== undefined && call.method !== 'getGenesisHash') return raw(response, call.id)
        const told = script[call.method]
        const no =
          told instanceof Error
            ? { error: { code: Number(told.message), message: 'no', data: told.cause } }
            : { result: told }
        response.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...no }))
      })
    })
    server.listen(0, '127.0.0.1', done)
  })
  after((done) => {
    server.close(done)
    server.closeAllConnections()
  })
  beforeEach(() => {
    asked = []
    raw = undefined
    tells({})
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    chain = createRpcChain({ rpc: createRpc({ url, deadlineMs: 500 }), cluster: 'solana:localnet', wallet: payer })
  })

  function tells(over: Script): void {
    script = { ...HONEST, ...over }
  }

  function codeOf(result: Result<unknown>): string {
    return result.ok ? 'ok' : `${result.refusal.code} ${result.refusal.details.code ?? ''}`
  }

  const mainnet = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
  const testnet = '4uhcVJyU9pJkvQyUS88uRDiswHXSCkY3zQawwpjk2NsY'
  for (const hash of [mainnet, testnet, GENESIS['solana:devnet'], '', 5, null, {}]) {
    it(`is of another cluster when its genesis hash is ${JSON.stringify(hash)}`, async () => {
      tells({ getGenesisHash: hash })
      expect(codeOf(await chain.check())).to.equal('unavailable chain_mismatch')
      expect(codeOf(await chain.balance(TERMS.payer))).to.equal('unavailable chain_mismatch')
      expect(asked).to.deep.equal(['getGenesisHash', 'getGenesisHash'])
    })
  }

  it('is asked for its genesis hash once, and again after any trouble', async () => {
    await chain.balance(TERMS.payer)
    await chain.balance(TERMS.payer)
    tells({ getBalance: 'x' })
    await chain.balance(TERMS.payer)
    await chain.balance(TERMS.payer)
    const hash = 'getGenesisHash'
    expect(asked).to.deep.equal([hash, 'getBalance', 'getBalance', 'getBalance', hash, 'getBalance'])
  })

  const odd: ReadonlyArray<readonly [string, (response: ServerResponse, id: number) => void]> = [
    ['nothing', (response) => response.end()],
    ['a web page', (response) => response.end('<html>')],
    ['half of an answer', (response, id) => response.end(`{"jsonrpc":"2.0","id":${id},"resu`)],
    [
      'the answer to another call',
      (response, id) => response.end(`{"id":${id + 1},"result":{"context":{"slot":1},"value":1}}`)
    ],
    ['no result', (response, id) => response.end(`{"id":${id}}`)],
    ['a result twice', (response, id) => response.end(`{"id":${id},"result":1,"result":2}`)],
    ['an answer without end', (response) => flood(response)],
    ['a way to somewhere else', (response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
    [
      'a string of escapes without end',
      (response, id) => response.end(`{"id":${id},"result":"${'\\"'.repeat(30_000)}`)
    ],
    ['a broken connection', (response) => response.destroy()],
    ['HTTP 500', (response) => response.writeHead(500).end('{}')],
    ['deep nesting', (response, id) => response.end(`{"id":${id},"result":${'['.repeat(9000)}${']'.repeat(9000)}}`)]
  ]
  for (const [what, respond] of odd) {
    it(`teaches nothing with ${what}`, async () => {
      raw = respond
      expect(codeOf(await chain.balance(TERMS.payer))).to.equal(UNKNOWN)
      expect(codeOf(await chain.fetch(paid.signature))).to.equal(UNKNOWN)
    })
  }

  function flood(response: ServerResponse): void {
    const part = Buffer.alloc(64 * 1024, 0x20)
    const more = (): void => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', more).on('error', () => undefined)
    more()
  }

  const balances = [-1, 1.5, '7', 'x'.repeat(20), null, [], {}, '123456789012345678901']
  for (const value of balances) {
    it(`has no balance of ${JSON.stringify(value)}`, async () => {
      tells({ getBalance: { context: { slot: 5000 }, value } })
      expect(codeOf(await chain.balance(TERMS.payer))).to.equal(UNKNOWN)
    })
  }

  it('says how far its history reaches back, and nothing else is a number of a block', async () => {
    tells({ getFirstAvailableBlock: 4711 })
    const history = await chain.history()
    expect(history.ok && history.value.oldest).to.equal(4711)
    for (const odd of [-1, 0.5, '7', null, {}, []]) {
      tells({ getFirstAvailableBlock: odd })
      expect(codeOf(await chain.history()), JSON.stringify(odd)).to.equal(UNKNOWN)
    }
  })

  it('may not go back in slot or height', async () => {
    expect(codeOf(await chain.slot())).to.equal('ok')
    tells({
      getEpochInfo: { absoluteSlot: 4999, blockHeight: 4000 },
      getBalance: { context: { slot: 4999 }, value: 7 }
    })
    expect(codeOf(await chain.slot())).to.equal(UNKNOWN)
    expect(codeOf(await chain.balance(TERMS.payer))).to.equal(UNKNOWN)
    tells({ getEpochInfo: { absoluteSlot: 5000, blockHeight: 3999 } })
    expect(codeOf(await chain.blockHeight())).to.equal(UNKNOWN)
  })

  it('does not make a payment absent that it only has not shown, nor one of which it is too far behind to know', async () => {
    expect(await chain.fetch(paid.signature)).to.deep.equal({ ok: true, value: undefined })
    tells({ getSignatureStatuses: { context: { slot: 5000 }, value: [{ slot: 1, confirmationStatus: 'processed' }] } })
    expect(codeOf(await chain.fetch(paid.signature))).to.equal(UNKNOWN)
    await chain.slot()
    tells({ getSignatureStatuses: { context: { slot: 4000 }, value: [null] } })
    expect(codeOf(await chain.fetch(paid.signature))).to.equal(UNKNOWN)
    tells({ getSignatureStatuses: { context: { slot: 5000 }, value: [] } })
    expect(codeOf(await chain.fetch(paid.signature))).to.equal(UNKNOWN)
  })

  it('is believed about a payment only as far as the signed bytes agree', async () => {
    const other = landed({ ...TERMS, lamports: '1' })
    const faults: ReadonlyArray<readonly [object, string]> = [
      [TOLD, 'paid'],
      [{ ...TOLD, transaction: [Buffer.from(other.bytes).toString('base64'), 'base64'] }, 'other_transaction'],
      [{ ...TOLD, transaction: ['AAAA', 'base64'] }, 'unreadable'],
      [{ ...TOLD, meta: { ...META, err: 'AccountInUse' } }, 'failed'],
      [{ ...TOLD, meta: { ...META, postBalances: META.preBalances } }, 'other_balance'],
      [{ ...TOLD, meta: { ...META, postBalances: [] } }, 'other_balance'],
      [{ ...TOLD, blockTime: null }, 'undated'],
      [{ ...TOLD, slot: 1 }, 'before_quote']
    ]
    for (const [told, fault] of faults) {
      tells({ getTransaction: told })
      const fetched = await chain.fetch(paid.signature)
      const finding = fetched.ok && fetched.value ? verifyPayment(TERMS, QUOTE, fetched.value) : undefined
      expect(finding?.paid === true ? 'paid' : finding?.fault).to.equal(fault)
    }
  })

  const malformed = [{ ...TOLD, meta: null }, { ...TOLD, slot: -1 }, { ...TOLD, transaction: {} }, [], 'x', 5]
  const metas = [
    { preBalances: [1.5] },
    { loadedAddresses: { writable: ['x'], readonly: [] } },
    { innerInstructions: [1] }
  ]
  for (const told of [...malformed, ...metas.map((over) => ({ ...TOLD, meta: { ...META, ...over } }))]) {
    it(`shows no transaction with ${JSON.stringify(told).slice(0, 60)}`, async () => {
      tells({ getTransaction: told })
      expect(codeOf(await chain.fetch(paid.signature))).to.equal(UNKNOWN)
    })
  }

  it('has unreadable bytes for a version that it can not show, and does not stop the others', async () => {
    tells({ getTransaction: new Error('-32015') })
    const fetched = await chain.fetch(paid.signature)
    const finding = fetched.ok && fetched.value ? verifyPayment(TERMS, QUOTE, fetched.value) : undefined
    expect(finding).to.deep.include({ paid: false, fault: 'unreadable' })
  })

  it('can not make a payment seem dead early, nor sign over what is no blockhash', async () => {
    const latest = (value: object): Script => ({ getLatestBlockhash: { context: { slot: 5000 }, value } })
    tells(latest({ blockhash: toBase58(new Uint8Array(32).fill(9)), lastValidBlockHeight: 1 }))
    const signed = await chain.sign(TERMS)
    expect(signed.ok && signed.value.lastValidBlockHeight).to.equal(4150)
    expect(signed.ok && signed.value.bytes).to.deep.equal(paid.bytes)
    for (const value of [{ blockhash: 'x', lastValidBlockHeight: 1 }, { lastValidBlockHeight: 1 }, {}]) {
      tells(latest(value))
      expect(codeOf(await chain.sign(TERMS))).to.equal(UNKNOWN)
    }
  })

  it('has taken a transaction only when it names the right one', async () => {
    const failure = (code: number, err: unknown): Error => new Error(String(code), { cause: { err } })
    const answers: ReadonlyArray<readonly [unknown, string]> = [
      [paid.signature, 'ok'],
      [failure(-32002, 'AlreadyProcessed'), 'ok'],
      [failure(-32002, 'BlockhashNotFound'), 'conflict transaction_refused'],
      [failure(-32002, { InstructionError: [1, { Custom: 1 }] }), 'conflict transaction_refused'],
      [failure(-32005, null), UNKNOWN],
      ['1'.repeat(64), UNKNOWN],
      [null, UNKNOWN]
    ]
    for (const [answer, code] of answers) {
      tells({ sendTransaction: answer })
      expect(codeOf(await chain.send(paid.bytes))).to.equal(code)
    }
  })

  it('is not stalled on by megabytes of escapes', async () => {
    raw = (response, id) => response.end(`{"id":${id},"result":"${'\\"'.repeat(2_000_000)}`)
    const start = performance.now()
    expect(codeOf(await chain.find(TERMS.reference))).to.equal(UNKNOWN)
    expect(performance.now() - start).to.be.lessThan(3000)
  })

  it('has its words shown without what a screen could obey', async () => {
    tells({ sendTransaction: new Error('-32002', { cause: { err: 'no\u001b[2J\u202e' } }) })
    const sent = await chain.send(paid.bytes)
    expect(sent.ok ? '' : sent.refusal.details['reason']).to.equal('"no\\u001b[2J?"')
  })

  it('can not keep a search going with the same page again and again', async () => {
    const rows = Array.from({ length: 1000 }, () => ({ signature: paid.signature }))
    tells({ getSignaturesForAddress: rows })
    expect(codeOf(await chain.find(TERMS.reference))).to.equal(UNKNOWN)
    for (const page of [null, {}, ['x'], [{ signature: 'x' }], Array.from({ length: 1001 }, () => rows[0])]) {
      tells({ getSignaturesForAddress: page })
      expect(codeOf(await chain.find(TERMS.reference))).to.equal(UNKNOWN)
    }
  })
})
