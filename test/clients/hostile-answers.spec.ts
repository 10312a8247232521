/**
 * What the terminal shows of answers in which every text is hostile, and longer than any wire lets pass: nothing that a
 * terminal would obey, and soon.
 */
import { expect } from 'chai'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type Server, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routeAt } from '../api/route-at.js'
import { ALICE } from '../api/views.js'
import { HostileAnswers } from '../browser/hostile-answers.js'
import { HOSTILE_STRINGS } from '../support/hostile-strings.js'
import { makeHome } from './home.js'
import { agentlink } from './screen.js'

const uid = (shape: number): string => String(shape).padStart(32, '0')
/** Commands that show what a node answers; the last digit of an id picks among the shapes that an answer has. */
const COMMANDS: readonly string[] = [
  'status',
  'agent list',
  'contact list',
  'offer list',
  'offer list --contact @bob',
  'task list',
  `task show ${uid(0)}`,
  'approval list',
  ...[0, 1, 2, 3, 4, 5].map((kind) => `approval show ${uid(kind)}`),
  'grant list',
  'audit',
  'envelope list',
  `envelope show ${uid(0)}`,
  'type list',
  `type show ${uid(0)}`,
  'inbox',
  'job list',
  'payment list',
  'settings',
  'wallet show'
]
/** What moves, hides or turns around what stands on a terminal; lines end with a line feed alone. */
const TREACHEROUS = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u200b\u2060\ufeff]/u

const OUR_AGENT = { name: 'default', handle: '@alice', agent: ALICE }

describe('what another owner wrote, on a terminal', () => {
  const answers = new HostileAnswers(HOSTILE_STRINGS, { agent: ALICE, contact: 'al1bob' })
  let home: string
  let node: Server
  let refusing = false
  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'al-'))
    makeHome({ home })
    node = createServer((request, response) => {
      const path = (request.url ?? '').split('?', 1)[0] ?? ''
      response.setHeader('content-type', 'application/json')
      response.statusCode = refusing && path !== '/v1/health' ? 409 : 200
      response.end(JSON.stringify(response.statusCode === 409 ? refused() : answered(request.method ?? '', path)))
    })
    await once(node.listen(join(home, 'api.sock')), 'listening')
  })
  after(() => {
    node.close()
    node.closeAllConnections()
    rmSync(home, { recursive: true, force: true })
  })

  function answered(method: string, path: string): object {
    const name = routeAt(method, path)
    if (name === 'owner.agents.list') return { items: [OUR_AGENT] }
    return name === undefined ? {} : answers.of(name, Number(/(\d)$/.exec(path)?.[1] ?? 0))
  }

  const refused = () => ({
    error: { code: 'conflict', message: HOSTILE_STRINGS.join(' '), details: { field: HOSTILE_STRINGS.join(' ') } }
  })

  for (const command of COMMANDS) {
    it(`moves, hides and turns around nothing, in text, as JSON and in a refusal: ${command}`, async () => {
      for (const flags of [[], ['--json']]) {
        for (refusing of [false, true]) {
          const shown = await agentlink([...command.split(' '), '--home', home, ...flags], { columns: 80 })
          const { code, out, err } = shown
          expect([code, err === ''], err).to.deep.equal(refusing ? [1, false] : [0, true])
          expect(
            TREACHEROUS.exec(out + err)?.[0]
              ?.codePointAt(0)
              ?.toString(16)
          ).to.equal(undefined)
          if (flags.length > 0) expect(() => JSON.parse(out) as unknown).not.to.throw()
        }
      }
    })
  }
})
