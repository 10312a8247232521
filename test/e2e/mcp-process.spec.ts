import { expect } from 'chai'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { homePaths } from '../../src/api/home.js'
import { temporaryHomes } from '../support/homes.js'
import { agentlink, answer, endAll, started } from './agentlink.js'

const OPENING = [
  {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } }
  },
  { jsonrpc: '2.0', method: 'notifications/initialized' }
]
const lineOf = (message: object): string => `${JSON.stringify(message)}\n`
const callOf = (id: number, name: string, given: unknown = {}): string =>
  lineOf({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } })

describe('the program behind an MCP client', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let home: string
  before(async () => {
    home = homes.make()
    await answer(['init', '--home', home, '--handle', '@alice'])
  })
  after(async () => {
    await endAll()
    homes.clean()
  })

  /** Starts it, waits until it has answered the opening, and gathers what it writes. */
  async function open() {
    const child = started(['mcp', '--home', home])
    const said = { out: '', err: '' }
    child.stdout.on('data', (part: string) => (said.out += part))
    child.stderr.on('data', (part: string) => (said.err += part))
    child.stdin.on('error', () => undefined)
    const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>
    child.stdin.write(OPENING.map(lineOf).join(''))
    await once(child.stdout, 'data')
    return { child, said, closed }
  }
  const messagesOf = (out: string) => {
    expect(out.endsWith('\n')).to.equal(true)
    return out
      .trimEnd()
      .split('\n')
      .map(
        (line) => JSON.parse(line) as { jsonrpc: string; id?: number | null; result?: object; error?: { code: number } }
      )
  }

  it('ends when its stdin ends', async () => {
    const { child, closed } = await open()
    child.stdin.end()
    expect(await closed).to.deep.equal([0, null])
  })

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends on ${signal}, although its stdin is open`, async () => {
      const { child, closed } = await open()
      child.kill(signal)
      expect(await closed).to.deep.equal([0, null])
    })
  }

  it('ends when nobody reads what it says', async () => {
    const { child, closed } = await open()
    child.stdout.destroy()
    for (let id = 2; id < 200; id++) child.stdin.write(callOf(id, 'agent_counters'))
    expect((await closed)[0]).to.equal(0)
  })

  it('writes JSON-RPC alone on stdout, whatever comes in', async () => {
    const { child, said, closed } = await open()
    const junk = ['not json\n', '{"jsonrpc":"2.0"}\n', '[]\n', 'null\n', '\u0000\u0001\n', '{"jsonrpc":"1.0","id":9}\n']
    for (const text of junk) child.stdin.write(text)
    child.stdin.write(lineOf({ jsonrpc: '2.0', id: 2, method: 'nonesuch' }))
    child.stdin.write(callOf(3, 'nonesuch\u001b[2J'))
    child.stdin.write(callOf(4, 'agent_counters', 'no object'))
    child.stdin.write(callOf(5, 'agent_counters'))
    while (!said.out.includes('"id":5')) await once(child.stdout, 'data')
    child.stdin.end()
    await closed
    const messages = messagesOf(said.out)
    for (const message of messages) expect(message.jsonrpc).to.equal('2.0')
    const of = (id: number) => messages.find((message) => message.id === id)
    for (const id of [2, 3, 4]) expect(of(id)?.error?.code, String(id)).to.be.lessThan(-32_000)
    const refused = messages.filter(({ id, error }) => error !== undefined && ![2, 3, 4].includes(id ?? 0))
    expect(refused.map(({ id, error }) => [id, error?.code])).to.deep.equal([
      [null, -32_700],
      [null, -32_600],
      [null, -32_600],
      [null, -32_600],
      [null, -32_700],
      [9, -32_600]
    ])
    expect(said.err.match(/^agentlink mcp: (Parse error|Invalid Request)/gm)).to.have.length(6)
    expect(of(5)?.result).to.have.nested.property('structuredContent.error.code', 'unavailable')
    expect(said.out).to.not.include('\u001b')
    expect(said.err).to.not.include('\u0000')
  })

  it('gives up a client that sends a line without an end, and says so on stderr', async () => {
    const { child, said, closed } = await open()
    const part = 'x'.repeat(1024 * 1024)
    for (let i = 0; i < 8; i++) child.stdin.write(part)
    expect((await closed)[0]).to.equal(0)
    expect(said.err).to.match(/^agentlink mcp: .*larger than/i)
    messagesOf(said.out)
  })

  it('names what is wrong with its directory, and how to say another', async () => {
    const none = await agentlink(['mcp', '--agent-dir', `${home}/nowhere`])
    expect([none.code, none.out]).to.deep.equal([5, ''])
    expect(none.err).to.include('--agent-dir')
    expect((await agentlink(['mcp', '--agent-dir', ''])).code).to.equal(2)
    const nobody = await agentlink(['mcp', '--home', home, '--agent', 'nobody'])
    expect([nobody.code, nobody.err]).to.deep.equal([
      5,
      `agentlink: no agent in ${home} is called nobody; there is default. Another one: \`agentlink agent add NAME --home ${home}\`\n`
    ])
    const nowhere = await agentlink(['mcp', '--home', `${home}/nowhere`])
    expect([nowhere.code, nowhere.err]).to.deep.equal([
      5,
      `agentlink: no AgentLink home at ${home}/nowhere; make one with: \`agentlink init --home ${home}/nowhere\`\n`
    ])
  })

  it('says so when its token is gone', async () => {
    const other = homes.make()
    await answer(['init', '--home', other, '--handle', '@bob'])
    const child = started(['mcp', '--home', other])
    let out = ''
    child.stdout.on('data', (part: string) => (out += part))
    child.stdin.write(OPENING.map(lineOf).join(''))
    await once(child.stdout, 'data')
    rmSync(homePaths(other).agent('default').token)
    child.stdin.write(callOf(2, 'agent_counters'))
    while (!out.includes('"id":2')) await once(child.stdout, 'data')
    expect(out).to.include('token')
    child.stdin.end()
    await once(child, 'close')
  })
})
