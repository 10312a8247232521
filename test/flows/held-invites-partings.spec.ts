import { expect } from 'chai'
import {
  type Stage,
  QUOTE_FILE,
  answer,
  changed,
  ending,
  install,
  invite,
  question,
  questions,
  stage,
  unknownToAgent
} from './held-invites-stage.js'
import { befriend, good } from './pair.js'

/** How a contact stops being one for Bob; the answer makes it one again. */
type Parting = (at: Stage) => Promise<() => Promise<void>>

const again = ({ world, alice, bob }: Stage): Promise<void> => befriend(world, alice, bob)

const remove: Parting = async (at) => {
  good(await at.world.do(at.bob.flows.owner.changeContact({ contact: '@alice', action: 'remove' })))
  await at.world.rest()
  return () => again(at)
}

const removeByPeer: Parting = async (at) => {
  good(await at.world.do(at.alice.flows.owner.changeContact({ contact: '@bob', action: 'remove' })))
  await at.world.rest()
  return () => again(at)
}

const block: Parting = async (at) => {
  const change = (action: 'block' | 'unblock'): Promise<unknown> =>
    at.world.do(at.bob.flows.owner.changeContact({ contact: '@alice', action }).then(good))
  await change('block')
  return async () => {
    await change('unblock')
    await again(at)
  }
}

describe('an invite of a type that is not installed, from a contact that is none for a while', () => {
  it('is not asked about while its contact is none, and asked about anew when it is one again', async () => {
    for (const change of [remove, block, removeByPeer]) {
      const at = await stage()
      const uid = await invite(at)
      const { approvalId } = await question(at)
      const back = await change(at)
      expect(await questions(at, at.bob), change.name).to.deep.equal([])
      const late = at.bob.flows.owner.answerApproval(approvalId, { decision: 'approve', scope: 'once' })
      expect(good(await at.world.do(late)).status).to.equal('stale')
      await unknownToAgent(at, uid)
      expect(await at.bob.all('types')).to.deep.equal([])
      await back()
      await at.world.rest(5_000)
      expect((await question(at)).held, change.name).to.equal(1)
      await answer(at, 'approve')
      expect(await ending(at, uid, at.bob), change.name).to.equal('open')
    }
  })

  for (const [file, there, here] of [
    [QUOTE_FILE, 'open', 'open'],
    [changed({ title: 'Another quotation' }), 'cancelled type_mismatch', undefined]
  ] as const) {
    it(`waits on when the owner installs a type while its contact is none, and is ${there} when it is one again`, async () => {
      const at = await stage()
      const uid = await invite(at)
      const back = await block(at)
      await install(at, at.bob, file)
      await unknownToAgent(at, uid)
      await back()
      await at.world.rest(5_000)
      expect(await ending(at, uid)).to.equal(there)
      if (here === undefined) await unknownToAgent(at, uid)
      else expect(await ending(at, uid, at.bob)).to.equal(here)
    })
  }

  it('is refused once its contact is one again when the owner said no in between', async () => {
    const at = await stage()
    const uid = await invite(at)
    const { approvalId } = await question(at)
    const back = await block(at)
    good(await at.world.do(at.bob.flows.owner.answerApproval(approvalId, { decision: 'deny', scope: 'once' })))
    await back()
    await at.world.rest(5_000)
    expect(await ending(at, uid)).to.equal('cancelled type_not_installed')
    expect(await questions(at, at.bob)).to.deep.equal([])
  })
})
