import { KNOWN_CAPABILITIES } from '../policy/capability.js'

/** Closed lists of the API that a client may want to show its user; plain data, so that reading them loads nothing else. */

/** Every capability that an owner can rule on by name (protocols/policy.md). */
export const CAPABILITIES = KNOWN_CAPABILITIES
