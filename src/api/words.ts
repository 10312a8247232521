import { KNOWN_CAPABILITIES } from '../policy/capability.js'
import { PRESET_NAMES } from '../policy/preset-names.js'

/** Closed lists of the API that a client may want to show its user; plain data, so that reading them loads nothing else. */

/** Every capability that an owner can rule on by name (protocols/policy.md). */
export const CAPABILITIES = KNOWN_CAPABILITIES

/** The sets of rules that an owner can put in place at once (protocols/policy.md, "Presets"). */
export const PRESETS = PRESET_NAMES

/** How a question to the owner can stand (protocols/policy.md). */
export const APPROVAL_STATUSES = ['pending', 'approved', 'denied', 'expired', 'stale', 'used'] as const

/** What a task can be reported as (protocols/tasks.md). */
export const TASK_STATUSES = [
  'open',
  'negotiating',
  'agreed',
  'awaiting_approval',
  'confirmed',
  'paying',
  'paid',
  'delivered',
  'completed',
  'cancelled',
  'expired'
] as const
