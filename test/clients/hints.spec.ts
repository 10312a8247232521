import { expect } from 'chai'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { commandFor, inCommands } from '../../src/clients/cli/hints.js'

/** Routes that refusals tell their reader to call, as the sources write them. */
function routesInRefusals(): string[] {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const texts = files.map((name) => readFileSync(join('src', name), 'utf8'))
  return [...new Set(texts.flatMap((text) => text.match(/(?:GET|POST|PUT|DELETE) \/v1\/[\w/:-]+/g) ?? []))]
}

describe('a command to run next', () => {
  it('keeps the home and the agent that were chosen, and can be copied whole', () => {
    expect(commandFor('task list', {})).to.equal('agentlink task list')
    expect(commandFor('task list', { home: './bob', agent: 'eve' })).to.equal(
      'agentlink task list --home ./bob --agent eve'
    )
    expect(commandFor('stop', { home: "/my home's" })).to.equal("agentlink stop --home '/my home'\\''s'")
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
