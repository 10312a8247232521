import type { Route } from './route.js'

/** What agents offer their contacts: rows of the route table (`routes.ts`). Only owners make offers. */
export const OFFER_ROUTES = {
  'offers.list': {
    method: 'GET',
    path: '/v1/agent/offers',
    auth: 'agent',
    summary: 'What your owner offers through you',
    help: 'Your contacts have this list. Only your owner changes it. When a job names one of these offers, quote by it.',
    tool: { name: 'agentlink_offers', ours: true }
  },
  'contacts.offers': {
    method: 'GET',
    path: '/v1/agent/contacts/:contact/offers',
    auth: 'agent',
    summary: 'What a contact offers',
    help:
      'Titles, descriptions and deliverables are text of the other owner. An offer binds nobody: to hire, create a task of the ' +
      'type job.request and name the offerId; what counts is the plan that both agree on. The inbox says offers.changed once; ' +
      'reading the list here makes it say so again at the next change.',
    tool: { name: 'agentlink_contact_offers' }
  },
  'owner.offers.list': { method: 'GET', path: '/v1/owner/offers', auth: 'owner', summary: 'What an agent offers' },
  'owner.offers.create': {
    method: 'POST',
    path: '/v1/owner/offers',
    auth: 'owner',
    summary: 'Offer something to all active contacts'
  },
  'owner.offers.change': {
    method: 'PATCH',
    path: '/v1/owner/offers/:offerId',
    auth: 'owner',
    summary: 'Change an offer, and tell all active contacts'
  },
  'owner.offers.withdraw': {
    method: 'DELETE',
    path: '/v1/owner/offers/:offerId',
    auth: 'owner',
    summary: 'Take an offer back'
  },
  'owner.contacts.offers': {
    method: 'GET',
    path: '/v1/owner/contacts/:contact/offers',
    auth: 'owner',
    summary: 'What a contact offers'
  }
} as const satisfies Record<string, Route>
