/**
 * Stories of one node that misbehaves, or that lost its memory: scripted, because honest seeds never get there. Each
 * answers what went otherwise than it should; an empty list is well.
 */
import { createWorld } from './world.js'
import { deniedYes, usedLink, heldYes, heldNo, retiredType } from './stories/asked.js'
import { backdated, lateRefusal, earlyCancel, clockBack } from './stories/crossing.js'
import {
  equivocation,
  fork,
  wrongRecipient,
  wrongSender,
  wrongNode,
  replayed,
  gap,
  opaque,
  falseReceipt,
  foreignTask,
  invalidProposal,
  otherDefinition
} from './stories/hostile.js'
import { oldBackup } from './stories/restored.js'
import { type Stage, allowAll } from './stories/stage.js'

export const STORIES: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  'two messages with one number freeze the contact, and both are kept': equivocation,
  'a message that does not follow the head freezes the contact': fork,
  'a message for somebody else has no effect': wrongRecipient,
  'a message of somebody else has no effect': wrongSender,
  'a card on the stream of another node is not admitted': wrongNode,
  'a replayed message is stored once and acknowledged again': replayed,
  'a message beyond the next place is asked for, not stored': gap,
  'a message of an unknown kind is stored, acknowledged and has no effect': opaque,
  'a message that hides what its writer had stored is refused as backdated': backdated,
  'a refusal that comes late does not touch an agreement': lateRefusal,
  'a cancel is not reported before what its peer had written by then is here': earlyCancel,
  'a task that was reported expired stays so when the clock jumps back': clockBack,
  'a receipt for what was never written is not believed': falseReceipt,
  'a stranger can not speak about the task of another contact': foreignTask,
  'a proposal that its type does not allow is refused': invalidProposal,
  'an invite whose definition is another under the same name is refused': otherDefinition,
  'a link with a secret lets one contact in': usedLink,
  'an invite of an unknown type waits for a yes': heldYes,
  'an invite of a type that was said no to is not sent again': heldNo,
  'a retired type starts no task and takes no invite': retiredType,
  'a yes to work that may not be given any more sends nothing': deniedYes,
  'a node that came back from an old backup gets its own messages again': oldBackup
}

/** Plays a story; answers what went wrong. */
export async function playStory(
  name: string,
  options: { readonly print?: (line: string) => void } = {}
): Promise<readonly string[]> {
  const play = STORIES[name]
  if (play === undefined) throw new Error(`no story is called ${name}`)
  const world = createWorld({ seed: 7, nodes: 3, calm: true, ...options })
  const [alice, bob, carol] = world.nodes
  if (alice === undefined || bob === undefined || carol === undefined) throw new Error('a stage has three nodes')
  const faults: string[] = []
  try {
    await world.meet()
    for (const node of world.nodes) await allowAll(node, world)
    await play({ world, alice, bob, carol, check: (holds, what) => void (holds || faults.push(what)) })
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error))
  }
  return faults
}
