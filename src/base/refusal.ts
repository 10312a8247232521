/**
 * The closed list of refusals. Source: protocols/refusal-codes.md, which gives cause, whether to retry and what to do.
 * `code` is what a caller branches on first, `details.code` says which rule it was.
 */
export const REFUSAL_CODES = [
  'bad_request',
  'unauthorized',
  'policy_denied',
  'not_found',
  'conflict',
  'too_large',
  'unsupported_media_type',
  'rate_limited',
  'disk_full',
  'unavailable',
  'internal'
] as const
export type RefusalCode = (typeof REFUSAL_CODES)[number]

/** The second level: the rule that said no. */
export const DETAIL_CODES = [
  // bad_request
  'unknown_task_type',
  'undeclared_field',
  'invalid_field',
  'missing_field',
  'malformed_json',
  'duplicate_key',
  'too_deep',
  'not_canonical',
  'malformed_definition',
  'malformed_id',
  'malformed_link',
  'malformed_card',
  'malformed_message',
  'malformed_transcript',
  'unknown_participant',
  'unknown_offer',
  'unknown_capability',
  'unknown_member',
  'bad_idempotency_key',
  // faults of a task envelope's contract, all told at once
  'objective_required',
  'output_format_required',
  'tool_and_source_guidance_required',
  'boundaries_required',
  'files_and_interfaces_required',
  'acceptance_check_command_required',
  'acceptance_check_end_to_end_required',
  'context_id_required',
  'objective_invalid',
  'output_format_invalid',
  'tool_and_source_guidance_invalid',
  'boundaries_invalid',
  'files_and_interfaces_invalid',
  'files_and_interfaces_glob',
  'files_and_interfaces_outside',
  'acceptance_check_invalid',
  'acceptance_check_command_invalid',
  'acceptance_check_end_to_end_invalid',
  'context_id_invalid',
  'depends_on_invalid',
  'tools_allowed_invalid',
  'self_dependency',
  'duplicate_dependency',
  'unknown_dependency',
  'dependency_cycle',
  // rate_limited
  'too_many_calls',
  'too_many_failures',
  'too_many_waits',
  'too_many_approvals',
  'too_many_tasks',
  'too_many_envelopes',
  // policy_denied
  'over_job_limit',
  'over_day_limit',
  // at the API's door
  'malformed_request',
  'method_not_allowed',
  'foreign_host',
  'foreign_origin',
  // at the door of the owner's page
  'session_ended',
  'login_link_invalid',
  'two_credentials',
  'csrf_mismatch',
  'owner_secret_needed',
  'loopback_off',
  // unavailable
  'chain_unreachable',
  'chain_mismatch',
  // what does not authenticate
  'bad_envelope',
  'bad_signature',
  'bad_key',
  'wrong_recipient',
  'wrong_sender',
  'wrong_domain',
  'not_contact',
  // conflict
  'version_conflict',
  'illegal_transition',
  'type_ambiguous',
  'agreement_not_settled',
  'idempotency_conflict',
  'approval_mismatch',
  'approval_expired',
  'approval_answered',
  'approval_stale',
  'preset_stale',
  'invite_refused',
  'contact_exists',
  'contact_frozen',
  'alias_taken',
  'agent_exists',
  'agent_needed',
  'task_full',
  'queue_full',
  'invite_expired',
  'action_not_recorded',
  'no_calendar_time',
  // conflicts of a task envelope
  'dependencies_unresolved',
  'evidence_required',
  'evidence_command_mismatch',
  'acceptance_check_failed',
  'end_to_end_not_passed',
  'already_claimed',
  'task_id_taken',
  'task_id_ambiguous',
  // conflicts of a payment
  'wallet_needed',
  'plan_not_payable',
  'payment_too_late',
  'payer_mismatch',
  'transaction_refused',
  'too_many_offers',
  // codes of task.refuse: they stand in the transcript
  'task_expired',
  'backdated',
  'late_refuse',
  'type_mismatch',
  'type_retired',
  'type_not_installed',
  'invalid_proposal'
] as const
export type DetailCode = (typeof DETAIL_CODES)[number]

/** What accompanies a refusal. Values are plain JSON; they never hold secrets or remote text that was not asked for. */
export interface RefusalDetails {
  readonly code?: DetailCode
  /** The member at fault, as a path such as `proposal.venue.name`. */
  readonly field?: string
  /** Capability names, sorted and unique (policy_denied). */
  readonly denied?: readonly string[]
  /** Field names that made the refusal (policy_denied). */
  readonly fields?: readonly string[]
  /** Seconds after which the same call is taken, where waiting alone helps (rate_limited). */
  readonly retryAfter?: number
  readonly [more: string]: unknown
}

/** A "no": its code, a sentence that says what to do next, and the details. */
export interface Refusal {
  readonly code: RefusalCode
  readonly message: string
  readonly details: RefusalDetails
}

/** Makes a refusal value. `message` is for people, never parsed by programs. */
export function refusal(code: RefusalCode, message: string, details: RefusalDetails = {}): Refusal {
  return { code, message, details }
}

/** A `bad_request` that names its rule and the field at fault. */
export function badRequest(code: DetailCode, message: string, field?: string): Refusal {
  return refusal('bad_request', message, field === undefined ? { code } : { code, field })
}

/** A `conflict` that names its rule. */
export function conflict(code: DetailCode, message: string, more: RefusalDetails = {}): Refusal {
  return refusal('conflict', message, { code, ...more })
}
