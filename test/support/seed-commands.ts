import { execFileSync } from 'node:child_process'

/** The four commands of seed 002, word for word, with the ids that it leaves to the reader still as it writes them. */

export const CREATE = `curl -sS -X POST "$AGENTLINK_URL/v1/agent/tasks" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"type":"dinner.coordination","participant":"al1...","title":"Dinner with Bob","expiresInHours":48,
       "proposal":{"date":"2026-11-14","time":"19:00","timezone":"America/Toronto","cuisine":"Italian","partySize":2}}'`
export const PROPOSE = `curl -sS -X POST "$AGENTLINK_URL/v1/agent/tasks/$TASK_UID/proposals" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"proposal":{"date":"2026-11-14","time":"19:45","timezone":"America/Toronto","cuisine":"Italian","partySize":2,
       "dietaryNotes":["vegetarian"],"venue":{"name":"Trattoria Nonna","area":"Little Italy"}}}'`
export const READ = `curl -sS "$AGENTLINK_URL/v1/agent/tasks/$TASK_UID" -H "Authorization: Bearer $TOKEN"`
export const RESPOND = `curl -sS -X POST "$AGENTLINK_URL/v1/agent/tasks/$TASK_UID/responses" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"proposalId":"<proposalId of version 2>","decision":"accept"}'`

/** What Alice's owner denied, and what no dinner declares. */
export const DENIED = CREATE.replace('"partySize":2', '"partySize":2,"dietaryNotes":["no shellfish"]')
export const UNDECLARED = CREATE.replace('"partySize":2', '"partySize":2,"homeAddress":"12 Elm Street"')

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
}

/** Skips a suite that drives the node with curl where there is none, and says so; CI installs it and never skips. */
export function needCurl(suite: Mocha.Context): void {
  if (hasCurl()) return
  console.warn('skipped: these tests drive the node with curl, which this machine does not have')
  suite.skip()
}
