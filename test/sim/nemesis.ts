/** What goes wrong: drawn by the seed, each seed from its own selection of faults, so that rare ones meet each other. */
import { StoreFailure } from '../../src/store/failure.js'
import type { SimNode } from './node.js'
import type { Network } from './network.js'
import type { Prng } from './prng.js'
import type { Scheduler } from './scheduler.js'
import type { Trace } from './trace.js'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const FAULTS = ['crash', 'stop', 'partition', 'cut', 'latency', 'clock', 'full', 'odd'] as const
type Fault = (typeof FAULTS)[number]

export interface Nemesis {
  /** Makes one thing go wrong. */
  strike(): void
  /** Ends all faults: everybody is up and reachable, disks have room, and no clock jumps any more. */
  heal(): void
}

export interface NemesisComponents {
  readonly nodes: readonly SimNode[]
  readonly network: Network
  readonly scheduler: Scheduler
  readonly prng: Prng
  readonly trace: Trace
  readonly broken: (what: string) => void
  /** Called when a node lost its answers. */
  readonly onCrash: (node: SimNode) => void
  /** Called when a node's clock jumped. */
  readonly onJump: (node: SimNode) => void
}

export interface NemesisOptions {
  /** How long the faults go on. */
  readonly spanMs: number
  /** The faults to choose from; the seed chooses when they are not given. */
  readonly faults?: readonly Fault[]
}

export function createNemesis(components: NemesisComponents, options: NemesisOptions): Nemesis {
  const { nodes, network, scheduler, prng, trace, broken, onCrash, onJump } = components
  const chosen = FAULTS.filter(() => prng.chance(0.45))
  const faults: readonly Fault[] = options.faults ?? (chosen.length > 0 ? chosen : ['crash', 'cut'])
  /** Longest that one fault lasts. */
  const longest = options.spanMs / 6
  let over = false

  if (faults.includes('clock') && prng.chance(0.7)) for (const node of nodes) node.offset = offset()
  if (faults.includes('latency')) network.faults.slowestMs = prng.pick([300, 5_000, 30_000])
  if (faults.includes('cut')) network.faults.cutShare = prng.pick([0.005, 0.02, 0.08])
  if (faults.includes('odd')) network.faults.doubleShare = prng.pick([0.05, 0.2])

  function offset(): number {
    const size = prng.chance(0.35) ? 400 * DAY : prng.pick([MINUTE, 30 * MINUTE, 3 * 60 * MINUTE])
    return prng.whole(-size, size)
  }

  function later(what: string, fn: () => void): void {
    scheduler.after(prng.whole(0, longest), what, () => {
      if (!over) fn()
    })
  }

  function up(node: SimNode): void {
    if (node.flows !== undefined) return
    trace.line(`${node.name} starts`)
    const before = node.incarnation
    node.start().catch((error: unknown) => {
      if (node.incarnation !== before + 1) return
      if (!(error instanceof StoreFailure)) return broken(`${node.name} does not start: ${String(error)}`)
      // A full disk is a reason not to start; a supervisor tries again.
      down(node)
    })
  }

  function down(node: SimNode): void {
    node.crash()
    onCrash(node)
    if (over || prng.chance(0.5)) scheduler.after(prng.whole(0, 500), 'restart', () => up(node))
    else later('restart', () => up(node))
  }

  function strike(): void {
    const node = prng.pick(nodes)
    const other = prng.pick(nodes)
    const fault = prng.pick(faults)
    trace.line(`fault ${fault}`)
    switch (fault) {
      case 'crash':
        return down(node)
      case 'stop':
        return stop(node)
      case 'partition':
        if (node === other) return
        network.partition(node.index, other.index)
        return later('heals', () => network.heal(node.index, other.index))
      case 'cut':
        return network.cutOne()
      case 'latency':
        network.faults.slowestMs = prng.pick([50, 300, 5_000, 30_000])
        network.faults.dialFailShare = prng.pick([0, 0.2, 0.6])
        return
      case 'clock':
        node.offset = prng.chance(0.4) ? 0 : offset()
        trace.line(`${node.name} clock is off by ${node.offset}`)
        onJump(node)
        return
      case 'full':
        node.disk.setFull(true)
        return later('has room', () => node.disk.setFull(false))
      case 'odd':
        return
    }
  }

  function stop(node: SimNode): void {
    const { incarnation } = node
    node.stop().then(
      () => {
        if (node.incarnation !== incarnation + 1) return
        onCrash(node)
        if (over) up(node)
        else later('restart', () => up(node))
      },
      () => node.incarnation === incarnation && down(node)
    )
  }

  return {
    strike,
    heal() {
      over = true
      trace.line('all faults end')
      Object.assign(network.faults, { slowestMs: 100, cutShare: 0, dialFailShare: 0, doubleShare: 0 })
      for (const node of nodes) {
        node.disk.setFull(false)
        for (const other of nodes) if (other !== node) network.heal(node.index, other.index)
        up(node)
      }
    }
  }
}
