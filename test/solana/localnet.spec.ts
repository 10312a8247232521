import { expect } from 'chai'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  sendAndConfirmTransaction
} from '@solana/web3.js'
import { MEMO_PROGRAM } from '../../src/payments/programs.js'
import { GENESIS } from '../../src/solana/genesis.js'
import { FAULTS, type Fault } from '../../src/solana/localnet/faults.js'
import { type Localnet, startLocalnet } from '../../src/solana/localnet/localnet.js'

const START = Date.parse('2026-12-02T12:00:00.000Z')

describe('The local chain, to an unmodified web3.js client', function () {
  let net: Localnet
  let connection: Connection
  let time = START
  const alice = Keypair.fromSeed(new Uint8Array(32).fill(1))
  const bob = Keypair.fromSeed(new Uint8Array(32).fill(2))

  before(async () => {
    net = await startLocalnet(0, () => time)
    connection = new Connection(net.url, { commitment: 'confirmed', disableRetryOnRateLimit: true })
    const signature = await connection.requestAirdrop(alice.publicKey, 100 * LAMPORTS_PER_SOL)
    await connection.confirmTransaction(signature, 'finalized')
  })
  after(() => net.stop())
  afterEach(() => net.setFaults([]))

  function transfer(lamports: number, reference?: PublicKey): TransactionInstruction {
    const one = SystemProgram.transfer({ fromPubkey: alice.publicKey, toPubkey: bob.publicKey, lamports })
    if (reference) one.keys.push({ pubkey: reference, isSigner: false, isWritable: false })
    return one
  }

  function memo(text: string): TransactionInstruction {
    return new TransactionInstruction({ keys: [], programId: new PublicKey(MEMO_PROGRAM), data: Buffer.from(text) })
  }

  async function rpc(method: string, params: readonly unknown[]): Promise<unknown> {
    const response = await fetch(net.url, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    })
    return ((await response.json()) as { readonly result: unknown }).result
  }

  async function signed(lamports: number): Promise<Buffer> {
    const latest = await connection.getLatestBlockhash()
    const transaction = new Transaction({ feePayer: alice.publicKey, ...latest }).add(transfer(lamports))
    transaction.sign(alice)
    return transaction.serialize()
  }

  async function codeOf(promise: Promise<unknown>): Promise<string> {
    return promise.then(
      () => 'no error',
      (error: Error) => error.message
    )
  }

  it('is itself, and no real cluster', async () => {
    expect(await connection.getGenesisHash()).to.equal(GENESIS['solana:localnet'])
  })

  it('sends, confirms and shows a transfer with a memo and a reference', async () => {
    const reference = Keypair.generate().publicKey
    const before = await connection.getBalance(bob.publicKey)
    const transaction = new Transaction().add(memo('for the soup'), transfer(5_000_000, reference))
    const signature = await sendAndConfirmTransaction(connection, transaction, [alice], { commitment: 'finalized' })
    expect((await connection.getBalance(bob.publicKey)) - before).to.equal(5_000_000)
    const [row] = await connection.getSignaturesForAddress(reference)
    expect([row?.signature, row?.memo, row?.err]).to.deep.equal([signature, '[12] for the soup', null])
    const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(found?.transaction.signatures).to.deep.equal([signature])
    expect(found?.meta?.postBalances[1]).to.equal(before + 5_000_000)
    const parsed = await connection.getParsedTransaction(signature, { maxSupportedTransactionVersion: 0 })
    expect(parsed?.transaction.message.instructions.map((one) => ('parsed' in one ? one.parsed : one))).to.deep.equal([
      'for the soup',
      {
        type: 'transfer',
        info: { source: alice.publicKey.toBase58(), destination: bob.publicKey.toBase58(), lamports: 5_000_000 }
      }
    ])
  })

  it('takes a version 0 transaction, and shows it only to clients that know the version', async () => {
    const { blockhash } = await connection.getLatestBlockhash()
    const content = { payerKey: alice.publicKey, recentBlockhash: blockhash, instructions: [transfer(1_000_000)] }
    const transaction = new VersionedTransaction(new TransactionMessage(content).compileToV0Message())
    transaction.sign([alice])
    const signature = await connection.sendTransaction(transaction)
    expect((await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 }))?.version).to.equal(0)
    expect(await codeOf(connection.getTransaction(signature))).to.include('version (0) is not supported')
  })

  it('pages the history of an address, newest first', async () => {
    const reference = Keypair.generate().publicKey
    const sent: string[] = []
    for (let i = 1; i <= 5; i++) {
      const transaction = new Transaction().add(transfer(1_000_000 + i, reference))
      sent.unshift(await connection.sendTransaction(transaction, [alice]))
    }
    const page = async (options: object): Promise<string[]> =>
      (await connection.getSignaturesForAddress(reference, options)).map((row) => row.signature)
    expect(await page({})).to.deep.equal(sent)
    expect(await page({ limit: 2 })).to.deep.equal(sent.slice(0, 2))
    expect(await page({ limit: 2, before: sent[1] })).to.deep.equal(sent.slice(2, 4))
    expect(await page({ until: sent[3] })).to.deep.equal(sent.slice(0, 3))
  })

  it('takes the same bytes once, however often they come', async () => {
    const bytes = await signed(2_000_000)
    const before = await connection.getBalance(bob.publicKey)
    const first = await connection.sendRawTransaction(bytes)
    expect(await connection.sendRawTransaction(bytes, { skipPreflight: true })).to.equal(first)
    expect((await connection.getBalance(bob.publicKey)) - before).to.equal(2_000_000)
  })

  it('refuses what has no money, an old blockhash, or a broken signature', async () => {
    expect(await codeOf(connection.sendRawTransaction(await signed(1e12)))).to.include('Simulation failed')
    const old = await signed(1_000_000)
    await rpc('localnet_skip', [151])
    expect(await codeOf(connection.sendRawTransaction(old))).to.include('Blockhash not found')
    const broken = await signed(1_000_000)
    broken[70] = (broken[70] as number) ^ 1
    expect(await codeOf(connection.sendRawTransaction(broken))).to.not.equal('no error')
  })

  it('goes on with the time, 2.5 slots a second, also when it is started again', async () => {
    const slot = await connection.getSlot()
    time += 10_000
    expect(await connection.getSlot()).to.equal(slot + 25)
  })

  it('tells every digit of a sum that a double can not hold', async () => {
    const rich = Keypair.generate().publicKey
    await rpc('requestAirdrop', [rich.toBase58(), Number.MAX_SAFE_INTEGER])
    await rpc('requestAirdrop', [rich.toBase58(), 2_000_000])
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [rich.toBase58()] })
    const text = await (await fetch(net.url, { method: 'POST', body })).text()
    expect(text).to.include(`"value":${BigInt(Number.MAX_SAFE_INTEGER) + 2_000_000n}`)
  })

  it('answers nonsense with an error and goes on', async () => {
    const post = async (body: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
      const response = await fetch(net.url, { method: 'POST', body, headers })
      return [response.status, await response.text()]
    }
    expect((await post('{'))[1]).to.include('-32700')
    expect((await post('[]'))[1]).to.include('-32600')
    expect((await post('{"method":"toString","params":[]}'))[1]).to.include('-32601')
    expect((await post('{"method":"getBalance","params":["x"]}'))[1]).to.include('-32602')
    expect((await post('{"method":"getBalance","params":{}}'))[1]).to.include('-32600')
    expect((await post('{"method":"sendTransaction","params":["AAAA",{"encoding":"base64"}]}'))[1]).to.include('-32602')
    expect((await post(`"${'x'.repeat(200_000)}"`))[0]).to.equal(413)
    expect((await post('{}', { origin: 'https://example.org' }))[0]).to.equal(403)
    expect((await fetch(net.url)).status).to.equal(405)
  })

  describe('with a fault switched on', () => {
    const on = (...faults: Fault[]): Promise<unknown> => rpc('localnet_faults', [faults])

    it('tells its faults, and refuses a name that is none', async () => {
      expect(await on('late', '429')).to.deep.equal(['late', '429'])
      expect(await rpc('localnet_faults', [])).to.deep.equal(['late', '429'])
      expect(await rpc('localnet_faults', [['gone']])).to.equal(undefined)
      expect(await on()).to.deep.equal([])
    })

    it('drops, delays, forgets and lies as it is told', async () => {
      const status = async (signature: string): Promise<unknown> =>
        (await connection.getSignatureStatuses([signature])).value[0]?.confirmationStatus
      await on('dropped')
      expect(await status(await connection.sendRawTransaction(await signed(1_000_001)))).to.equal(undefined)
      await on('late')
      const late = await connection.sendRawTransaction(await signed(1_000_002))
      expect(await status(late)).to.equal(undefined)
      time += 10_000
      expect(await status(late)).to.equal('finalized')
      await on('forgotten')
      expect(await status(late)).to.equal(undefined)
      expect(await connection.getTransaction(late)).to.equal(null)
      await on()
      const other = await connection.sendRawTransaction(await signed(1_000_003))
      await on('lying')
      expect((await connection.getTransaction(late))?.transaction.signatures).to.deep.equal([other])
      await on('mainnet')
      expect(await connection.getGenesisHash()).to.equal('5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d')
    })

    it('is busy, or ends in the middle', async () => {
      await on('429')
      expect(await codeOf(connection.getSlot())).to.include('429')
      await on('truncated')
      expect(await codeOf(connection.getSlot())).to.not.equal('no error')
      const slot = async (): Promise<number> => {
        net.setFaults([])
        return connection.getSlot()
      }
      const now = await slot()
      await on('behind')
      expect(await connection.getSlot()).to.equal(now - 1000)
    })

    it('has a sentence for each of them', () => {
      for (const sentence of Object.values(FAULTS)) expect(sentence.length).to.be.greaterThan(10)
    })
  })
})
