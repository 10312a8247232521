import { expect } from 'chai'
import fc from 'fast-check'
import type { MessageId } from '../../../src/base/ids.js'
import { type ReducedEnvelope, foldEnvelope } from '../../../src/tasks/envelope/fold.js'
import { type EnvelopeLog, envelopeEntryOf } from '../../../src/tasks/envelope/log.js'
import { isTerminal } from '../../../src/tasks/envelope/lifecycle.js'
import { type EnvelopeReport, type Ended, reportEnvelope } from '../../../src/tasks/envelope/report.js'
import { type EnvelopeDraft, wouldApplyEnvelope } from '../../../src/tasks/envelope/rules.js'
import { checkPlace, coverOf } from '../../../src/tasks/log.js'
import { ENVELOPE_STATES } from '../../../src/wire/envelope-bodies.js'
import { idOf } from '../entries.js'
import { DUE, type Words, envelopeLog, say } from './lines.js'
import { oracleEnvelope } from './oracle.js'

const numRuns = Number(process.env['TASK_RUNS'] ?? 1500)

function stateOf(reduced: ReducedEnvelope): { state: string; applied: string[] } {
  const applied = [...reduced.effects].filter(([, effect]) => effect === 'applied').map(([id]) => id)
  return { state: reduced.state, applied: applied.sort() }
}

/** Any words at all, also those that a side may not say, with a reference to one of its first messages. */
const REFERENCES = ['R1', 'R2', 'R3', 'R4', 'S2']
const anyWords: fc.Arbitrary<Words> = fc.oneof(
  fc.constantFrom(
    ...[say.claim(), say.work(), say.ask(), say.ask('auth_required'), say.fail(), say.result(), say.reject()],
    ...[
      say.result({ exitStatus: 1 }),
      say.result({ command: 'npm test ' }),
      say.result({ endToEnd: { passed: false } })
    ],
    ...[say.cancel(), say.resolve('lexer'), say.resolve('lexer', 'failed'), say.resolve('other'), say.submit()],
    say.opaque()
  ),
  fc.constantFrom(...REFERENCES).map((of) => say.answer(of)),
  fc.constantFrom(...REFERENCES).map((of) => say.verdict(of)),
  fc.constantFrom(...REFERENCES).map((of) => say.verdict(of, true, 1)),
  fc.constantFrom(...REFERENCES).map((of) => say.refuse(of))
)

const anyLine = fc.record({ words: anyWords, ahead: fc.nat(3) })
const claimed = { words: say.claim(), ahead: 0 }
const asked = { words: say.ask(), ahead: 0 }
/** Chance alone seldom gets beyond a claim, so half of them begin with one. */
const anyChain = fc
  .tuple(fc.constantFrom([], [], [claimed], [claimed, asked]), fc.array(anyLine, { maxLength: 5 }))
  .map(([first, rest]) => [...first, ...rest])

/** A log in which nobody follows any rule but those of places. */
const anyLog: fc.Arbitrary<EnvelopeLog> = fc
  .record({
    needs: fc.boolean(),
    mine: fc.array(anyLine, { maxLength: 5 }),
    theirs: anyChain,
    flip: fc.boolean()
  })
  .map(({ needs, mine, theirs, flip }) => {
    const [s, r] = flip ? ['z', 'a'] : ['a', 'z']
    let [seenS, seenR] = [0, 1]
    const open = { id: `${s}S1`, say: say.submit(needs ? ['lexer'] : undefined) }
    const rename = (words: Words): Words => {
      const body = words.body as { of?: string } | undefined
      if (body?.of === undefined) return words
      const of = REFERENCES.find((name) => idOf(name) === body.of) ?? ''
      return { ...words, body: { ...body, of: idOf(`${of.startsWith('S') ? s : r}${of}`) } } as Words
    }
    const lines = mine.map(({ words, ahead }, at) => {
      seenS = Math.min(theirs.length, seenS + ahead)
      return { id: `${s}S${at + 2}`, say: rename(words), seen: seenS }
    })
    const others = theirs.map(({ words, ahead }, at) => {
      seenR = Math.min(mine.length + 1, seenR + ahead)
      return { id: `${r}R${at + 1}`, say: rename(words), seen: seenR }
    })
    return envelopeLog([open, ...lines], others)
  })

describe('the fold of a task envelope', () => {
  it('reads every log, however wild, as the spec page does literally', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(anyLog, (log) => {
        const reduced = foldEnvelope(log)
        reached.add(reduced.state)
        expect(stateOf(reduced)).to.deep.equal(oracleEnvelope(log))
        expect(reduced.effects.size).to.equal(log.inviter.length + log.invitee.length)
      }),
      { numRuns }
    )
    expect([...reached]).to.have.members([...ENVELOPE_STATES])
  })

  it('never leaves a final state, whatever is said afterwards', () => {
    fc.assert(
      fc.property(anyLog, fc.array(anyWords, { maxLength: 4 }), (log, more) => {
        const before = foldEnvelope(log).state
        if (!isTerminal(before)) return
        const lines = more.map((words, at) => ({ words, n: log.inviter.length + at + 1 }))
        const added = lines.map(({ words, n }) => ({
          ...words,
          id: `${'f'.repeat(60)}${String(n).padStart(4, '0')}` as MessageId,
          seq: n,
          n,
          seen: log.invitee.length,
          seenId: log.invitee.at(-1)?.id ?? ('' as const),
          at: ''
        }))
        // A refusal takes a message out by reference; that is for the rules of refusals, not of the lifecycle.
        const kept = added.filter((one) => one.kind !== 'task.refuse') as EnvelopeLog['inviter'][number][]
        expect(foldEnvelope({ ...log, inviter: [...log.inviter, ...kept] }).state).to.equal(before)
      }),
      { numRuns: 500 }
    )
  })

  it('refuses to read a log that does not open with a submit, and a message without a task', () => {
    expect(() => foldEnvelope({ inviter: [], invitee: [] })).to.throw('opens with its submit')
    expect(() => envelopeEntryOf({ header: {} } as never)).to.throw('no task')
  })
})

/** Two honest nodes: what each wrote, how much of the other it holds, and what it reported. */
class Pair {
  private readonly chains: { S: EnvelopeLog['inviter'][number][]; R: EnvelopeLog['inviter'][number][] } = {
    S: [],
    R: []
  }
  private held = { S: 0, R: 0 }
  private covered = { S: new Map<number, number>(), R: new Map<number, number>() }
  private receipts: { to: 'S' | 'R'; upTo: number; head: number }[] = []
  private ended: { S: Ended | undefined; R: Ended | undefined } = { S: undefined, R: undefined }
  readonly faults: string[] = []

  constructor(needs: boolean) {
    this.chains.S.push(...envelopeLog([{ id: 's1', say: say.submit(needs ? ['lexer'] : undefined) }]).inviter)
  }

  log(who: 'S' | 'R'): EnvelopeLog {
    const mine = this.chains[who].map((entry) => {
      const cover = this.covered[who].get(entry.n)
      return cover === undefined ? entry : { ...entry, coverHead: cover }
    })
    const theirs = this.chains[who === 'S' ? 'R' : 'S'].slice(0, this.held[who])
    return who === 'S' ? { inviter: mine, invitee: theirs } : { inviter: theirs, invitee: mine }
  }

  input(who: 'S' | 'R', now = DUE - 1000) {
    const self = who === 'S' ? ('inviter' as const) : ('invitee' as const)
    return { log: this.log(who), self, now, inSeq: this.held[who], ended: this.ended[who] }
  }

  report(who: 'S' | 'R', now?: number): EnvelopeReport {
    const seen = reportEnvelope(this.input(who, now))
    const before = this.ended[who]
    const fresh = reportEnvelope({ ...this.input(who, now), ended: undefined })
    if (before !== undefined && fresh.state !== before.state)
      this.faults.push(`${who}: ${before.state} -> ${fresh.state}`)
    if (isTerminal(seen.state) && before === undefined) this.ended[who] = { state: seen.state }
    return seen
  }

  write(who: 'S' | 'R', draft: EnvelopeDraft, id: string): boolean {
    const other = who === 'S' ? 'R' : 'S'
    if (who === 'R' && this.held.R === 0) return false
    if (!wouldApplyEnvelope(this.input(who), draft).ok) return false
    const n = this.chains[who].length + 1
    const seen = this.held[who]
    const seenId = this.chains[other][seen - 1]?.id ?? ('' as const)
    const entry = { ...draft, id: idOf(id), seq: n, n, seen, seenId, at: '' }
    if (!checkPlace(this.log(who), who === 'S' ? 'inviter' : 'invitee', entry).ok) this.faults.push('misplaced')
    this.chains[who].push(entry)
    this.report(who)
    return true
  }

  /** The next message of the other chain arrives, and its receipt sets out. */
  deliver(who: 'S' | 'R'): void {
    const other = who === 'S' ? 'R' : 'S'
    if (this.held[who] >= this.chains[other].length) return
    this.held[who] += 1
    this.receipts.push({ to: other, upTo: this.held[who], head: this.chains[who].length })
    if (who === 'S' || this.held.R > 0) this.report(who)
  }

  receipt(): void {
    const next = this.receipts.shift()
    if (next === undefined) return
    for (let n = 1; n <= next.upTo; n++) {
      if (!this.covered[next.to].has(n)) this.covered[next.to].set(n, coverOf(next.head, this.held[next.to]))
    }
    if (next.to === 'S' || this.held.R > 0) this.report(next.to)
  }

  heal(): void {
    for (let at = 0; at < 60; at++) {
      this.deliver('S')
      this.deliver('R')
      this.receipt()
    }
  }
}

const senders: readonly Words[] = [
  say.cancel(),
  say.resolve('lexer'),
  say.answer('r2'),
  say.answer('r3'),
  say.verdict('r2'),
  say.verdict('r3')
]
const recipients: readonly Words[] = [
  ...[say.claim(), say.work(), say.ask(), say.ask('auth_required'), say.fail(), say.result(), say.reject()],
  say.result({ exitStatus: 3 })
]
type Move = { do: 'S' | 'R'; words: number } | { do: 'toS' | 'toR' | 'receipt' }
const anyMove: fc.Arbitrary<Move> = fc.oneof(
  fc.record({ do: fc.constant('S' as const), words: fc.nat(senders.length - 1) }),
  fc.record({ do: fc.constant('R' as const), words: fc.nat(recipients.length - 1) }),
  fc.record({ do: fc.constantFrom('toS' as const, 'toR' as const, 'receipt' as const) })
)

/** Half of them begin with a claim that arrived: chance alone seldom gets that far. */
const anyMoves = fc
  .tuple(fc.boolean(), fc.array(anyMove, { maxLength: 24 }))
  .map(([works, moves]) => (works ? [{ do: 'toR' } as const, { do: 'R', words: 0 } as const, ...moves] : moves))

function play(pair: Pair, moves: readonly Move[], names: readonly [string, string]): void {
  let [s, r] = [1, 0]
  for (const move of moves) {
    if (move.do === 'S') s += Number(pair.write('S', senders[move.words] as EnvelopeDraft, `${names[0]}${s + 1}`))
    else if (move.do === 'R')
      r += Number(pair.write('R', recipients[move.words] as EnvelopeDraft, `${names[1]}${r + 1}`))
    else if (move.do === 'receipt') pair.receipt()
    else pair.deliver(move.do === 'toS' ? 'S' : 'R')
  }
}

describe('two honest nodes with a delegated task', () => {
  it('never take back an end that they reported, and end with the same state', () => {
    const ends = new Set<string>()
    fc.assert(
      fc.property(fc.boolean(), anyMoves, fc.boolean(), (needs, moves, flip) => {
        const pair = new Pair(needs)
        play(pair, moves, flip ? ['s', 'r'] : ['x', 'r'])
        pair.heal()
        const [a, b] = [pair.report('S'), pair.report('R')]
        expect(pair.faults).to.deep.equal([])
        expect(stateOf(a.reduced)).to.deep.equal(stateOf(b.reduced))
        expect(a.state).to.equal(b.state)
        expect(a.cancelRequested).to.equal(false)
        expect(stateOf(a.reduced)).to.deep.equal(oracleEnvelope(pair.log('S')))
        ends.add(a.state)
      }),
      { numRuns }
    )
    expect([...ends]).to.have.members([...ENVELOPE_STATES])
  })

  /** Every step of the recipient that may cross a cancel, from every state, in every order of arrival. */
  const crossings: { name: string; before: readonly Words[]; step: Words; end: string }[] = [
    { name: 'a claim', before: [], step: say.claim(), end: 'canceled' },
    { name: 'a reject', before: [], step: say.reject(), end: 'rejected' },
    { name: 'a failure before the claim', before: [], step: say.fail(), end: 'failed' },
    { name: 'a result', before: [say.claim()], step: say.result(), end: 'completed' },
    { name: 'a failure', before: [say.claim()], step: say.fail(), end: 'failed' },
    { name: 'a question', before: [say.claim()], step: say.ask(), end: 'canceled' },
    { name: 'a question of access', before: [say.claim()], step: say.ask('auth_required'), end: 'canceled' },
    { name: 'going on', before: [say.claim(), say.ask()], step: say.work(), end: 'canceled' },
    { name: 'a failure while asking', before: [say.claim(), say.ask()], step: say.fail(), end: 'failed' }
  ]
  for (const { name, before, step, end } of crossings) {
    it(`${name} that crosses a cancel: ${end} on both sides, whichever arrives first`, () => {
      for (const arrival of [
        ['toS', 'toR'],
        ['toR', 'toS']
      ] as const) {
        for (const id of ['a', 'z']) {
          const pair = new Pair(false)
          pair.heal()
          before.forEach((words, at) => pair.write('R', words as EnvelopeDraft, `m${at}`))
          pair.heal()
          expect(pair.write('S', say.cancel() as EnvelopeDraft, `n${id}`)).to.equal(true)
          expect(pair.write('R', step as EnvelopeDraft, 'n')).to.equal(true)
          expect(pair.report('S').cancelRequested).to.equal(true)
          for (const way of arrival) pair.deliver(way === 'toS' ? 'S' : 'R')
          pair.heal()
          expect([pair.report('S').state, pair.report('R').state]).to.deep.equal([end, end])
          expect(pair.faults).to.deep.equal([])
        }
      }
    })
  }

  it('let one of 50 claims win', () => {
    const pair = new Pair(false)
    pair.heal()
    const won = Array.from({ length: 50 }, (_, at) => pair.write('R', say.claim() as EnvelopeDraft, `c${at}`))
    expect(won.filter(Boolean)).to.have.length(1)
    const again = wouldApplyEnvelope(pair.input('R'), say.claim() as EnvelopeDraft)
    expect(!again.ok && again.refusal.details.code).to.equal('already_claimed')
  })
})
