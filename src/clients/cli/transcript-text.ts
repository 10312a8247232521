import type { EnvelopeTranscript, TaskTranscript, TranscriptReport } from './transcript-report.js'
import { linesOf } from '../../api/plan-lines.js'
import type { Run } from './context.js'
import { facts } from './table.js'
import { shortTime } from './times.js'

/** What a transcript proves, on the screen. Its texts are other agents': `table` and `facts` make them visible. */

type Rows = ReadonlyArray<readonly [string, string]>

/** The task, its sides, and its state. */
export function headText(report: TranscriptReport): string {
  return facts([
    ['task', report.task],
    ...(report.kind === 'task' ? taskRows(report) : envelopeRows(report)),
    ['exported', `by the ${report.exportedBy}, ${shortTime(report.exportedAt)}`]
  ])
}

/** All of it: the plans, or the contract and what proves it, and every message. */
export function wholeText(report: TranscriptReport, run: Pick<Run, 'table'>): string {
  const rows = report.messages.map((one) => [one.by, String(one.n), one.kind, one.effect, shortTime(one.at), one.id])
  const messages = run.table(['by', 'n', 'message', 'effect', 'written', 'id'], rows)
  const parts = report.kind === 'task' ? proposalTexts(report) : envelopeTexts(report)
  return [headText(report), ...parts, messages].join('\n\n')
}

function taskRows(report: TranscriptReport & TaskTranscript): Rows {
  const why = report.statusReason === undefined ? '' : ` (${report.statusReason})`
  return [
    ['type', `${report.type.name}@${report.type.version} ${report.type.hash}`],
    ['inviter', report.inviter],
    ['invitee', report.invitee],
    ['status', `${report.status}${why} at ${shortTime(report.at)}`],
    ...(report.agreedProposalId === undefined ? [] : [['agreed', report.agreedProposalId] as const])
  ]
}

function envelopeRows(report: TranscriptReport & EnvelopeTranscript): Rows {
  const why = report.code === undefined ? '' : ` (${report.code})`
  return [
    ['named', report.taskId],
    ['sender', report.inviter],
    ['recipient', report.invitee],
    ['state', `${report.state}${why} at ${shortTime(report.at)}`],
    ...(report.reason === undefined ? [] : [['reason', report.reason] as const]),
    ...(report.conflictsWith === undefined ? [] : [['conflicts with', report.conflictsWith] as const]),
    ['proof', report.proof],
    ['until', shortTime(report.expiresAt)]
  ]
}

function proposalTexts({ proposals }: TaskTranscript): string[] {
  return proposals.map(
    (one) =>
      `Version ${one.version} by the ${one.by}, ${one.status}, ${shortTime(one.at)}\n` +
      facts(linesOf(one.proposal).map((line) => [`  ${line.path}`, line.value]))
  )
}

function envelopeTexts({ contract, result, verdicts }: EnvelopeTranscript): string[] {
  const parts = [
    ['contract', contract],
    ['result', result],
    ...verdicts.map((one) => ['verdict', one] as const)
  ] as const
  return parts.flatMap(([name, part]) =>
    part === undefined ? [] : [`${name}\n${facts(linesOf(part).map((line) => [`  ${line.path}`, line.value]))}`]
  )
}
