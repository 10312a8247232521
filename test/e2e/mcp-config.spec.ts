import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { parse } from 'smol-toml'
import { toolNames } from '../../src/api/tools.js'
import { homePaths } from '../../src/api/home.js'
import { temporaryHomes } from '../support/homes.js'
import { answer } from './agentlink.js'

interface Command {
  readonly command: string
  readonly args: readonly string[]
}

const readme = readFileSync('README.md', 'utf8')
const section = (readme.split('\n## Your agent: ')[1] ?? '').split('\n## ')[0] as string
const blocks = [...section.matchAll(/^```(json|toml|sh)\n([\s\S]*?)^```$/gm)].map(
  ([, language = '', text = '']) => [language, text] as const
)
/** The directory that the README speaks of. */
const WRITTEN = '/home/alice/.local/share/agentlink/agents/default'

/** The one server that a configuration names, wherever the client of that format keeps it. */
function commandIn(language: string, text: string): Command {
  if (language === 'sh') {
    const [, words = ''] = text.trim().split(' -- ')
    const [command = '', ...args] = words.split(' ')
    return { command, args }
  }
  const whole = (language === 'toml' ? parse(text) : JSON.parse(text)) as Record<string, Record<string, Command>>
  const [servers = {}, ...others] = Object.values(whole)
  expect([Object.keys(servers), others]).to.deep.equal([['agentlink'], []])
  return servers['agentlink'] as Command
}

describe('the MCP configurations in the README', function () {
  this.timeout(60_000)
  const homes = temporaryHomes()
  let directory: string
  before(async () => {
    const home = homes.make()
    await answer(['init', '--home', home, '--handle', '@alice'])
    directory = homePaths(home).agent('default').directory
  })
  after(() => homes.clean())

  it('are there for each kind of client', () => {
    expect(blocks.map(([language]) => language)).to.deep.equal(['json', 'sh', 'json', 'toml', 'json'])
    for (const name of ['Claude Desktop', 'Claude Code', 'Cursor', 'Gemini CLI', 'VS Code', 'Codex', 'Zed']) {
      expect(section).to.include(`**${name}**`)
    }
  })

  for (const [index, [language, text]] of blocks.entries()) {
    it(`start a server with all tools: ${language} block ${index + 1}`, async () => {
      const { command, args } = commandIn(language, text)
      expect([command, args.includes(WRITTEN)]).to.deep.equal(['agentlink', true])
      const here = args.map((arg) => (arg === WRITTEN ? directory : arg))
      const client = new Client({ name: 'test-host', version: '1.0.0' })
      await client.connect(
        new StdioClientTransport({ command: process.execPath, args: ['dist/node/main.js', ...here], stderr: 'ignore' })
      )
      const { tools } = await client.listTools()
      expect(tools.map((tool) => tool.name)).to.have.members(toolNames().map(({ name }) => name))
      await client.close()
    })
  }
})
