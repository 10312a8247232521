/** What a node in memory is filled with: things of every kind for alice, and a task of her own for carol. */
import type { JsonObject } from '../../src/base/json.js'
import { dinner, good } from '../flows/pair.js'
import { CAROL, type RealNode } from './real-node.js'

/** Things of alice that carol must not learn of, or names of the same form that nobody has. */
export interface Ids {
  readonly task: string
  readonly agreed: string
  readonly proposal: string
  readonly approval: string
  readonly envelope: string
  readonly received: string
  readonly question: string
  readonly contact: string
  readonly alias: string
  readonly taskPage: string
  readonly envelopePage: string
}

const SECRET = 'what only alice may see'
/** A contract that is whole. */
export const CONTRACT: JsonObject = {
  objective: SECRET,
  outputFormat: 'A file',
  toolAndSourceGuidance: 'The folder',
  boundaries: 'Nothing else',
  filesAndInterfaces: ['src'],
  acceptanceCheck: { passFailCommand: 'true', endToEndVerification: 'Run it' },
  contextID: 'repo'
}

/** Gives alice something of every kind, and carol a task with bob. */
export async function furnish({ world, node, bob, erin }: RealNode): Promise<Ids> {
  const { agent: doors, owner } = node.flows
  for (const who of ['default', 'carol']) {
    for (const capability of ['disclose.*', 'delegate.submit', 'delegate.report']) {
      good(await world.do(owner.setGrant({ agent: who, contact: '*', capability, effect: 'allow' })))
    }
  }
  for (const capability of ['disclose.*', 'delegate.submit', 'delegate.report']) {
    for (const other of [bob, erin]) {
      good(await world.do(other.flows.owner.setGrant({ contact: '*', capability, effect: 'allow' })))
    }
  }
  const alice = node.agent
  const create = (participant: string, from: typeof alice) =>
    world.do(
      doors.createTask(from, {
        type: 'dinner.coordination',
        participant,
        title: SECRET,
        proposal: dinner({ notes: SECRET })
      })
    )
  const sent = (made: Awaited<ReturnType<typeof create>>): string => {
    const { answer } = good(made)
    if (answer.status !== 'sent') throw new Error('asked')
    return answer.task.taskUid
  }
  const task = sent(await create('@bob', alice))
  const agreed = sent(await create('@erin', alice))
  await world.rest()
  const pending = good(await world.do(erin.flows.agent.getTask(erin.agent, agreed))).proposals[0]?.proposalId ?? ''
  good(await world.do(erin.flows.agent.respond(erin.agent, agreed, { proposalId: pending, decision: 'accept' })))
  good(await world.do(bob.flows.agent.propose(bob.agent, task, { proposal: dinner({ notes: SECRET, time: '21:00' }) })))
  await world.rest()
  const asked = good(await world.do(doors.runAction(alice, { taskUid: agreed, action: 'calendar.hold' }))).answer
  if (asked.status !== 'pending_approval') throw new Error('not asked')
  for (const one of [owner, erin.flows.owner]) {
    const price = { price: '0.25', turnaroundHours: 1 }
    const offer = { title: SECRET, description: SECRET, deliverable: SECRET, ...price }
    good(await world.do(one.createOffer({ offer })))
  }
  const envelope = 'alice-to-bob'
  good(await world.do(doors.envelope(alice, { do: 'submit', recipient: '@bob', taskId: envelope, envelope: CONTRACT })))
  const received = 'bob-to-alice'
  const contract = { ...CONTRACT, filesAndInterfaces: ['docs'] }
  const submit = { do: 'submit', recipient: alice, taskId: received, envelope: contract } as const
  good(await world.do(bob.flows.agent.envelope(bob.agent, submit)))
  await world.rest()
  good(await world.do(bob.flows.agent.envelope(bob.agent, { do: 'claim', taskId: envelope })))
  const state = { do: 'status', taskId: envelope, state: 'input_required', code: 'other', reason: SECRET } as const
  good(await world.do(bob.flows.agent.envelope(bob.agent, state)))
  await world.rest()
  const shown = good(await world.do(doors.getEnvelope(alice, envelope)))
  const [tasks, envelopes] = [
    good(await world.do(doors.listTasks(alice, { limit: 1 }))),
    good(await world.do(doors.listEnvelopes(alice, { limit: 1 })))
  ]
  // What carol has herself: her answers are not empty.
  good(
    await world.do(
      doors.createTask(CAROL, { type: 'dinner.coordination', participant: '@bob', proposal: dinner({ partySize: 9 }) })
    )
  )
  await world.rest()
  const [own] = good(await world.do(bob.flows.agent.listTasks(bob.agent, { limit: 1 }))).items
  good(await world.do(bob.flows.agent.propose(bob.agent, own?.taskUid ?? '', { proposal: dinner({ partySize: 8 }) })))
  await world.rest()
  const [proposal] = good(await world.do(doors.getTask(alice, task))).proposals.slice(-1)
  return {
    task,
    agreed,
    proposal: proposal?.proposalId ?? '',
    approval: asked.approvalId,
    envelope,
    received,
    question: shown.questions[0]?.questionId ?? '',
    contact: erin.agent,
    alias: '@erin',
    taskPage: tasks.next ?? '',
    envelopePage: envelopes.next ?? ''
  }
}

/** Ids and words in everything that alice can read, without those in what carol can. */
export async function secretsOf({ world, node }: RealNode): Promise<string[]> {
  const seenBy = async (agent: typeof CAROL): Promise<Set<string>> => {
    const doors = node.flows.agent
    const texts = [
      await world.do(doors.listTasks(agent, { limit: 200 })),
      await world.do(doors.listEnvelopes(agent, { limit: 200 })),
      await world.do(doors.inbox(agent, { after: 0, waitSeconds: 0, limit: 200 })),
      await world.do(doors.contacts(agent)),
      await world.do(doors.offers(agent)),
      await world.do(doors.contactOffers(agent, '@erin'))
    ].map((answer) => JSON.stringify(answer))
    return new Set(texts.join(' ').match(/[0-9a-f]{32,64}|al1[a-z0-9]+|@[a-z]+|[a-z]+-to-[a-z]+/g))
  }
  const hers = await seenBy(node.agent)
  const own = await seenBy(CAROL)
  const all = new Set([SECRET, ...hers, node.agent])
  return [...all].filter((each) => !own.has(each))
}
