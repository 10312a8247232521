import { expect } from 'chai'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandFor, inCommands } from '../../src/clients/cli/hints.js'

/** A command after a colon or with a part of its own put in, and no backticks around it. */
const TOLD_BARE = /(?:with|later|[Nn]ext|More|one|it): agentlink |(?<!`)agentlink [a-z -]+\$\{|advice: '[^`]*agentlink /

function sources(): Array<readonly [string, string]> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('dashboard/')
  )
  return files.map((name) => [name, readFileSync(join('src', name), 'utf8')])
}

/** Routes that refusals tell their reader to call, as the sources write them. */
function routesInRefusals(): string[] {
  return [...new Set(sources().flatMap(([, text]) => text.match(/(?:GET|POST|PUT|DELETE) \/v1\/[\w/:-]+/g) ?? []))]
}

describe('a command to run next', () => {
  it('keeps the home and the agent that were chosen, and can be copied whole', () => {
    expect(commandFor('task list', {})).to.equal('agentlink task list')
    expect(commandFor('task list', { home: './bob', agent: 'eve' })).to.equal(
      'agentlink task list --home ./bob --agent eve'
    )
    expect(commandFor('stop', { home: "/my home's", agent: 'eve' })).to.equal("agentlink stop --home '/my home'\\''s'")
  })

  it('stands in backticks wherever it is told, so that it gets what was chosen', () => {
    const told = sources().flatMap(([name, text]) =>
      text
        .split('\n')
        .flatMap((line, at) =>
          TOLD_BARE.test(line) && !line.includes('addHelpText(') ? [`${name}:${at + 1} ${line.trim()}`] : []
        )
    )
    expect(told).to.deep.equal([])
    expect(inCommands('Run `agentlink start`, or `agentlink restore F --home NEW`.', { home: 'h' })).to.equal(
      'Run `agentlink start --home h`, or `agentlink restore F --home NEW`.'
    )
  })

  it('stands instead of every route that a refusal names', () => {
    const routes = routesInRefusals()
    expect(routes).to.include('GET /v1/agent/contacts')
    for (const route of routes) {
      const said = inCommands(`There is none. ${route} lists them.`, { home: 'h' })
      expect(said, route).to.match(/^There is none\. `agentlink [a-z ]+ --home h` lists them\.$/)
    }
  })

  it('leaves a sentence alone that names neither', () => {
    const said = 'POST /v1 is no route, and `git` no command of ours'
    expect(inCommands(said, { home: 'h' })).to.equal(said)
  })
})
