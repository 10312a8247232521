/**
 * What leaves through the API, as strict schemas of the flows' views. An answer that holds anything else is a fault of
 * ours and is not sent: so nothing that a view was not meant to show can slip out. Spec: protocols/socket-api.md.
 */

export { jsonObject, EFFECTS, page } from './shapes/parts.js'
export { payments, task, calendar, transcript } from './shapes/tasks.js'
export { envelope, owned, ledger } from './shapes/envelopes.js'
export { typeEntry, ownerType, inspection, decline } from './shapes/types.js'
export { offer, contactOffers } from './shapes/offers.js'
export { inboxItem, inboxPage, counters, agentContact, contact, capability } from './shapes/desk.js'
export { approval, ownerApproval } from './shapes/approvals.js'
export { grant, preset, auditPage, changed, invite, agentEntry, nodeStatus } from './shapes/owner.js'
export { ownerTask, ownerEnvelope, ownerOwned } from './shapes/owner-work.js'
export { settingsAnswer } from './shapes/settings.js'
export { health, undelivered } from './shapes/health.js'
export { wallet } from './shapes/wallet.js'
export { failure, openApi } from './shapes/answers.js'
export { artifactText, contractText, evidenceText, runText } from './shapes/work.js'
