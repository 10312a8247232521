import type { PlanLine } from '../plan-lines.js'
import { rowIn } from './known.js'
import { solOf } from './money.js'

/**
 * Plain words for the members of what has one shape on every node: jobs, payments, contracts, results and verdicts. Plans of
 * other types go by the names of their fields. Source: protocols/jobs.md, protocols/payments.md, protocols/envelopes.md.
 */

/** `deliverable 1, SHA-256` for `artifacts[0].sha256`. A path without words stays as it is. */
export function labelOf(path: string): string {
  const [, at] = /\[(\d{1,6})\]/.exec(path) ?? []
  const label = rowIn(LABELS, general(path))
  return label === undefined ? path : label.replace('#', String(Number(at ?? 0) + 1))
}

/** A number with the unit that its member has; anything else stays as it is. */
export function withUnit(path: string, text: string): string {
  if (!/^\d{1,20}(?:\.\d{1,20})?$/.test(text)) return text
  if (path === 'lamports') return solOf(text)
  const unit = rowIn(UNITS, general(path))
  return unit === undefined ? text : `${text} ${unit}`
}

/** A line in words: its label, and its value as JSON text, or with its unit. */
export function worded({ path, value }: PlanLine): [label: string, value: string] {
  const plain = value.replace(/^"(.*)"$/, '$1')
  const measured = withUnit(path, plain)
  return [labelOf(path), measured === plain ? value : measured]
}

/** A path in which no place of a list is named. */
function general(path: string): string {
  return path.replace(/\[\d+\]/g, '[]')
}

const LABELS: Readonly<Record<string, string>> = {
  offerId: 'offer',
  brief: 'brief',
  deliverable: 'deliverable',
  deadline: 'deadline',
  price: 'price',
  payTo: 'pay to',
  cluster: 'chain',
  lamports: 'amount',
  payer: 'paid from',
  recipient: 'paid to',
  reference: 'reference, by which it is found',
  memo: 'memo, which names task and plan',
  artifacts: 'deliverables',
  'artifacts[].name': 'deliverable #, name',
  'artifacts[].location': 'deliverable #, place',
  'artifacts[].mediaType': 'deliverable #, media type',
  'artifacts[].size': 'deliverable #, size',
  'artifacts[].sha256': 'deliverable #, SHA-256',
  summary: 'summary by its maker',
  objective: 'objective',
  outputFormat: 'form of the output',
  toolAndSourceGuidance: 'tools and sources to use',
  boundaries: 'boundaries',
  filesAndInterfaces: 'files and interfaces',
  'filesAndInterfaces[]': 'files and interfaces, #',
  'acceptanceCheck.passFailCommand': 'command that proves it',
  'acceptanceCheck.endToEndVerification': 'end-to-end check',
  contextID: 'context',
  dependsOn: 'waits for',
  'dependsOn[]': 'waits for, #',
  toolsAllowed: 'tools that may be used',
  'toolsAllowed[]': 'tool that may be used, #',
  ...evidence('evidence'),
  ...runOf('run'),
  at: 'written at',
  of: 'about message',
  passed: 'passed',
  freshContext: 'in a fresh context',
  verdictSource: 'decided by',
  note: 'note'
}

/** What a run of the check is made of; `at` is where it stands. */
function runOf(at: string): Readonly<Record<string, string>> {
  return {
    [`${at}.command`]: 'command that was run',
    [`${at}.exitStatus`]: 'its exit status',
    [`${at}.durationMs`]: 'its time',
    [`${at}.output.tail`]: 'end of its output',
    [`${at}.output.bytes`]: 'size of its output',
    [`${at}.output.sha256`]: 'SHA-256 of its output'
  }
}

function evidence(at: string): Readonly<Record<string, string>> {
  return {
    ...runOf(at),
    [`${at}.endToEnd.passed`]: 'end-to-end check passed',
    [`${at}.endToEnd.note`]: 'note on the end-to-end check',
    [`${at}.verdictSource`]: 'decided by',
    [`${at}.secondOpinion.passed`]: 'second opinion: passed',
    [`${at}.secondOpinion.freshContext`]: 'second opinion: in a fresh context',
    [`${at}.secondOpinion.verdictSource`]: 'second opinion: decided by',
    [`${at}.secondOpinion.note`]: 'second opinion: note'
  }
}

const UNITS: Readonly<Record<string, string>> = {
  price: 'SOL',
  'artifacts[].size': 'bytes',
  'evidence.output.bytes': 'bytes',
  'run.output.bytes': 'bytes',
  'evidence.durationMs': 'ms',
  'run.durationMs': 'ms'
}
