/** Offers made, read and restored: the short words in which the tests speak of them. */
import type { OfferText } from '../../src/flows/doors.js'
import { META } from '../../src/flows/keys.js'
import type { OfferView } from '../../src/flows/views/offers.js'
import { TABLES, placeOf } from '../../src/store/tables.js'
import { type Node, type World, good } from './pair.js'

export const LOGO: OfferText = {
  title: 'A logo',
  description: 'Drawn by hand',
  deliverable: 'One SVG file',
  price: '0.25',
  turnaroundHours: 72
}

/** Longer than any pause between attempts. */
export const LONG = 120_000

export async function offered(world: World, node: Node, more: Partial<OfferText> = {}): Promise<OfferView> {
  const made = good(await world.do(node.flows.owner.createOffer({ offer: { ...LOGO, ...more } })))
  await world.rest()
  return made
}

/** What an agent of `node` finds at `contact`: titles. */
export async function titlesAt(world: World, node: Node, contact: { readonly name: string }): Promise<string[]> {
  const { items } = good(await world.do(node.flows.agent.contactOffers(node.agent, `@${contact.name}`)))
  return items.map((offer) => offer.title)
}

export async function ownTitles(world: World, node: Node): Promise<string[]> {
  return good(await world.do(node.flows.owner.offers({}))).items.map((offer) => offer.title)
}

async function inboxKinds(world: World, node: Node): Promise<string[]> {
  const { items } = good(await world.do(node.flows.agent.inbox(node.agent, { after: 0, waitSeconds: 0, limit: 200 })))
  return items.map((item) => item.kind)
}

export const changes = async (world: World, node: Node): Promise<number> =>
  (await inboxKinds(world, node)).filter((kind) => kind === 'offers.changed').length

export async function change(
  world: World,
  node: Node,
  contact: string,
  action: 'accept' | 'remove' | 'block' | 'unblock' | 'unfreeze'
): Promise<void> {
  good(await world.do(node.flows.owner.changeContact({ contact, action })))
  await world.rest()
}

/** As `agentlink restore` leaves it. */
export async function comeBack(node: Node, backup: ReturnType<Node['backup']>): Promise<void> {
  node.crash()
  node.restore([...backup, [placeOf('meta', META.restored), TABLES.meta.encode(true)]])
  await node.start()
}
