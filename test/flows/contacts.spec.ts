import { expect } from 'chai'
import { refusalOf, stateAt } from './pair.js'
import { say } from './puppet.js'
import { type State, type Stage, stage, WAYS, act, knock, secretOf } from './contacts-stage.js'

type Event = keyof typeof EVENTS

async function owner(at: Stage, action: Parameters<typeof act>[1]): Promise<string | undefined> {
  const result = await act(at, action)
  return result.ok ? undefined : refusalOf(result)
}

async function peerSays({ world, alice, zoe }: Stage, kind: 'accept' | 'decline' | 'remove'): Promise<undefined> {
  const visit = await zoe.visit(alice)
  const message =
    kind === 'accept'
      ? zoe.write(alice, { kind: 'contact.accept', body: { card: zoe.card() } })
      : zoe.write(alice, { kind: `contact.${kind}`, body: {} })
  visit.say(say(message))
  await world.rest()
}

const EVENTS = {
  'our owner adds a link': async ({ world, alice, zoe }: Stage) => {
    const added = await world.do(alice.flows.owner.addContact({ link: zoe.linkText() }))
    return added.ok ? undefined : refusalOf(added)
  },
  'the peer asks': async (at: Stage) => void (await knock(at)),
  'the peer asks with the secret': async (at: Stage) => void (await knock(at, await secretOf(at))),
  'our owner accepts': (at: Stage) => owner(at, 'accept'),
  'our owner declines': (at: Stage) => owner(at, 'decline'),
  'our owner removes': (at: Stage) => owner(at, 'remove'),
  'our owner blocks': (at: Stage) => owner(at, 'block'),
  'our owner unblocks': (at: Stage) => owner(at, 'unblock'),
  'our owner unfreezes': (at: Stage) => owner(at, 'unfreeze'),
  'the peer accepts': (at: Stage) => peerSays(at, 'accept'),
  'the peer declines': (at: Stage) => peerSays(at, 'decline'),
  'the peer removes': (at: Stage) => peerSays(at, 'remove')
}

const ILLEGAL = 'conflict illegal_transition'
const NONE = 'not_found contact'

/** protocols/contacts.md, "States", and what it leaves out: no effect. `state`, `state + kind sealed` or a refusal. */
const TABLE: Readonly<Record<Event, Readonly<Record<State, string>>>> = {
  'our owner adds a link': {
    none: 'requested + contact.request',
    requested: 'requested + contact.request',
    pending: 'requested + contact.request',
    active: 'conflict contact_exists',
    removed: 'requested + contact.request',
    blocked: 'conflict contact_exists'
  },
  'the peer asks': {
    none: 'pending',
    requested: 'active + contact.accept',
    pending: 'pending',
    active: 'active + contact.accept',
    removed: 'pending',
    blocked: 'blocked'
  },
  'the peer asks with the secret': {
    none: 'active + contact.accept',
    requested: 'active + contact.accept',
    pending: 'active + contact.accept',
    active: 'active + contact.accept',
    removed: 'active + contact.accept',
    blocked: 'blocked'
  },
  'our owner accepts': {
    none: NONE,
    requested: ILLEGAL,
    pending: 'active + contact.accept',
    active: ILLEGAL,
    removed: ILLEGAL,
    blocked: ILLEGAL
  },
  'our owner declines': {
    none: NONE,
    requested: ILLEGAL,
    pending: 'removed + contact.decline',
    active: ILLEGAL,
    removed: ILLEGAL,
    blocked: ILLEGAL
  },
  'our owner removes': {
    none: NONE,
    requested: 'removed + contact.remove',
    pending: ILLEGAL,
    active: 'removed + contact.remove',
    removed: ILLEGAL,
    blocked: ILLEGAL
  },
  'our owner blocks': {
    none: NONE,
    requested: 'blocked',
    pending: 'blocked',
    active: 'blocked',
    removed: 'blocked',
    blocked: ILLEGAL
  },
  'our owner unblocks': {
    none: NONE,
    requested: ILLEGAL,
    pending: ILLEGAL,
    active: ILLEGAL,
    removed: ILLEGAL,
    blocked: 'removed'
  },
  'our owner unfreezes': {
    none: NONE,
    requested: ILLEGAL,
    pending: ILLEGAL,
    active: ILLEGAL,
    removed: ILLEGAL,
    blocked: ILLEGAL
  },
  'the peer accepts': {
    none: 'none',
    requested: 'active',
    pending: 'pending',
    active: 'active',
    removed: 'removed',
    blocked: 'blocked'
  },
  'the peer declines': {
    none: 'none',
    requested: 'removed',
    pending: 'pending',
    active: 'active',
    removed: 'removed',
    blocked: 'blocked'
  },
  'the peer removes': {
    none: 'none',
    requested: 'removed',
    pending: 'pending',
    active: 'removed',
    removed: 'removed',
    blocked: 'blocked'
  }
}

async function kindsSealed({ world, alice }: Stage): Promise<string[]> {
  const { reopen } = await import('../../src/wire/open.js')
  const found = await world.do(alice.store.range('sent', { prefix: '' }))
  return found.map(([, bytes]) => reopen(bytes).header.kind)
}

describe('a contact', () => {
  for (const event of Object.keys(TABLE) as Event[]) {
    for (const state of Object.keys(TABLE[event]) as State[]) {
      it(`that is ${state}, when ${event}: ${TABLE[event][state]}`, async () => {
        const at = await stage()
        await WAYS[state](at)
        const before = await kindsSealed(at)
        const refused = await EVENTS[event](at)
        const sealed = (await kindsSealed(at)).slice(before.length)
        const outcome = refused ?? [stateAt(at.alice, at.zoe), ...sealed].join(' + ')
        expect(outcome).to.equal(TABLE[event][state])
        if (refused !== undefined) expect(stateAt(at.alice, at.zoe)).to.equal(state)
      })
    }
  }
})
