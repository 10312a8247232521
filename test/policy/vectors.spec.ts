import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { AgentId } from '../../src/base/ids.js'
import {
  type Answer,
  type Approval,
  type Exact,
  answer,
  grantsOf,
  markStale,
  markUsed,
  permits,
  statusAt
} from '../../src/policy/approval.js'
import { KNOWN_CAPABILITIES, parseCapability } from '../../src/policy/capability.js'
import { decideDisclosure } from '../../src/policy/disclosure.js'
import { type Grant, decide } from '../../src/policy/grants.js'

interface GrantCase {
  readonly name: string
  readonly grants: Grant[]
  readonly contact: AgentId
  readonly capability: string
  readonly effect: string
  readonly because: number | null
}
interface DisclosureCase {
  readonly name: string
  readonly grants: Grant[]
  readonly contact: AgentId
  readonly capabilities: Record<string, string[]>
  readonly effect: string
  readonly capabilitiesAsked?: string[]
  readonly denied?: string[]
  readonly fields?: string[]
}
interface Step extends Answer {
  readonly do: 'answer' | 'stale' | 'use'
  readonly at: number
  readonly refusal?: string
}
interface ApprovalCase {
  readonly name: string
  readonly steps: Step[]
  readonly at: number
  readonly status: string
  readonly permits: boolean
  /** null takes a member away. */
  readonly ask?: { readonly [K in keyof Exact]?: Exact[K] | null }
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(`protocols/vectors/${name}.json`, 'utf8')) as T
}

const grants = read<{
  capabilityNames: { valid: string[]; invalid: string[] }
  decisions: GrantCase[]
  disclosures: DisclosureCase[]
}>('grants')
const approvals = read<{
  approval: Approval
  cases: ApprovalCase[]
  actions: { approval: Approval; cases: ApprovalCase[] }
  grants: { name: string; answer: Answer; grants: Grant[] }[]
}>('approvals')

describe('the vectors of capability names', () => {
  for (const name of [...grants.capabilityNames.valid, ...KNOWN_CAPABILITIES]) {
    it(`accept ${name}`, () => {
      expect(parseCapability(name)).to.deep.equal({ ok: true, value: name })
    })
  }
  for (const name of grants.capabilityNames.invalid) {
    it(`refuse ${JSON.stringify(name)}`, () => {
      const parsed = parseCapability(name)
      expect(parsed.ok ? '' : parsed.refusal.details.code).to.equal('unknown_capability')
    })
  }
})

describe('the vectors of decisions', () => {
  for (const each of grants.decisions) {
    it(each.name, () => {
      const decision = decide(each.grants, each.contact, each.capability)
      const place = decision.because === undefined ? null : each.grants.indexOf(decision.because)
      expect([decision.effect, place]).to.deep.equal([each.effect, each.because])
    })
  }
})

describe('the vectors of disclosures', () => {
  for (const { name, grants: given, contact, capabilities, capabilitiesAsked, ...wanted } of grants.disclosures) {
    it(name, () => {
      const decision = decideDisclosure(given, contact, new Map(Object.entries(capabilities)))
      const asked = capabilitiesAsked === undefined ? {} : { capabilities: capabilitiesAsked }
      expect(decision).to.deep.equal({ ...wanted, ...asked })
    })
  }
})

describe('the vectors of approvals', () => {
  const start = approvals.approval

  function take(approval: Approval, step: Step): Approval {
    if (step.do === 'stale') return markStale(approval)
    const taken = step.do === 'use' ? markUsed(approval, step.at) : answer(approval, step, step.at)
    expect(taken.ok ? undefined : taken.refusal.details.code).to.equal(step.refusal)
    return taken.ok ? taken.value : approval
  }

  for (const { approval: from, cases } of [approvals, approvals.actions]) {
    for (const each of cases) {
      it(each.name, () => {
        const end = each.steps.reduce(take, from)
        const { agent, contact, taskUid, payload, subject } = from
        const asked = Object.entries({ agent, contact, taskUid, payload, subject, ...each.ask })
        const exact = Object.fromEntries(asked.filter(([, value]) => value !== null)) as unknown as Exact
        expect(statusAt(end, each.at)).to.equal(each.status)
        expect(permits(end, exact, each.at)).to.equal(each.permits)
      })
    }
  }

  for (const each of approvals.grants) {
    it(`${each.name} (grants of an answer)`, () => {
      const answered = answer(start, each.answer, 1)
      expect(answered.ok && grantsOf(answered.value)).to.deep.equal(each.grants)
    })
  }
})
