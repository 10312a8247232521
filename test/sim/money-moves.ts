/** What agents do in a world of money: hire each other, quote, pay, deliver and complete, mostly in turn. */
import type { AgentId } from '../../src/base/ids.js'
import { REFUSAL_CODES } from '../../src/base/refusal.js'
import type { Result } from '../../src/base/result.js'
import type { Flows } from '../../src/flows/flows.js'
import type { TaskView } from '../../src/flows/views/tasks.js'
import { StoreFailure } from '../../src/store/failure.js'
import type { SimNode } from './node.js'
import type { Prng } from './prng.js'

const PRICES = ['0.1', '0.25']
const ARTIFACT = { name: 'logo', location: 'logo.svg', mediaType: 'image/svg+xml', size: 1, sha256: 'a'.repeat(64) }
/** Of one node, so that each gets somewhere. */
const MOST_JOBS = 4

export interface Moves {
  /** One move of the agent of a node. */
  move(node: SimNode): void
  /** Calls a door, and hears its answer if the node lives. */
  call<T>(node: SimNode, name: string, make: (flows: Flows) => Promise<Result<T>>, then?: (value: T) => void): void
  /** How often each answer came. */
  readonly counts: ReadonlyMap<string, number>
}

export function createMoves(components: {
  readonly nodes: readonly SimNode[]
  readonly prng: Prng
  readonly broken: (what: string) => void
}): Moves {
  const { nodes, prng, broken } = components
  const counts = new Map<string, number>()
  const made = new Map<SimNode, number>()

  function count(what: string): void {
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }

  const call: Moves['call'] = (node, name, make, then = () => undefined) => {
    const { flows, incarnation } = node
    if (flows === undefined) return
    make(flows).then(
      (answer) => {
        if (node.incarnation !== incarnation) return
        count(`job ${name} ${answer.ok ? 'ok' : (answer.refusal.details.code ?? answer.refusal.code)}`)
        if (answer.ok) return then(answer.value)
        const { code, message } = answer.refusal
        if (!REFUSAL_CODES.includes(code) || code === 'internal') broken(`${name} was refused with ${code}: ${message}`)
      },
      (error: unknown) => {
        if (node.incarnation !== incarnation || error instanceof StoreFailure) return
        broken(`${name} threw ${String(error)}`)
      }
    )
  }

  const plan = (): { readonly proposal: Record<string, string> } => ({
    proposal: {
      brief: 'Draw a logo',
      deliverable: 'One file',
      deadline: '2026-12-24',
      price: prng.pick(PRICES),
      cluster: 'solana:localnet'
    }
  })

  function hire(node: SimNode): void {
    if ((made.get(node) ?? 0) >= MOST_JOBS) return
    made.set(node, (made.get(node) ?? 0) + 1)
    const participant = prng.pick(nodes.filter((other) => other !== node)).agent
    const expiresInHours = prng.pick([1, 2, 48])
    call(node, 'hire', ({ agent }) =>
      agent.createTask(node.agent, { type: 'job.request', participant, expiresInHours, ...plan() })
    )
  }

  function moveOn(node: SimNode, task: TaskView): void {
    const { taskUid, status, proposals, role } = task
    const pending = proposals.find((one) => one.status === 'pending')
    const own = node.agent
    if (pending?.by === 'peer' && role === 'inviter') {
      const answer = { proposalId: pending.proposalId, decision: 'accept' } as const
      return call(node, 'accept', ({ agent }) => agent.respond(own, taskUid, answer))
    }
    if (role === 'invitee' && pending?.by !== 'self' && (status === 'open' || status === 'negotiating')) {
      return call(node, 'quote', ({ agent }) => agent.propose(own, taskUid, plan()))
    }
    step(node, own, task)
  }

  /** What the status asks for, and now and then what it does not. */
  function step(node: SimNode, own: AgentId, { taskUid, status, role }: TaskView): void {
    const fits: Readonly<Record<string, string>> = { agreed: 'pay', paid: 'deliver', delivered: 'complete' }
    const act = prng.chance(0.9) ? fits[status] : prng.pick(['pay', 'deliver', 'complete', 'cancel'])
    if (act === 'pay' && role === 'inviter') call(node, 'pay', ({ agent }) => agent.pay(own, taskUid))
    if (act === 'deliver')
      call(node, 'deliver', ({ agent }) => agent.deliverJob(own, taskUid, { artifacts: [ARTIFACT] }))
    if (act === 'complete') call(node, 'complete', ({ agent }) => agent.completeJob(own, taskUid))
    if (act === 'cancel') call(node, 'cancel', ({ agent }) => agent.cancel(own, taskUid, {}))
  }

  return {
    call,
    counts,
    move(node) {
      if (prng.chance(0.2)) return hire(node)
      call(
        node,
        'list',
        ({ agent }) => agent.listTasks(node.agent, { limit: 20 }),
        ({ items }) => {
          if (items.length === 0) hire(node)
          else moveOn(node, prng.pick(items))
        }
      )
    }
  }
}
