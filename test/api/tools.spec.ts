import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { ROUTE_NAMES, paramNamesOf, routeOf } from '../../src/api/routes.js'
import { NOTICE, TOOL_WAIT_MAX, agentTools } from '../../src/api/tools.js'

const tools = agentTools()
const byRoute = new Map<string, (typeof tools)[number]>(tools.map((tool) => [tool.route, tool]))
const properties = (schema: object) => (schema as { properties: Record<string, Record<string, unknown>> }).properties

describe('the tools of an agent', () => {
  const agentRoutes = ROUTE_NAMES.filter((name) => routeOf(name).auth === 'agent')

  for (const name of agentRoutes) {
    it(`hold ${name}, or its stream stands beside a tool that gives the same`, () => {
      const isStream = routeOf(name).media === 'text/event-stream'
      expect(byRoute.has(name)).to.equal(!isStream)
      if (isStream) expect(byRoute.has('inbox.read')).to.equal(true)
    })
  }

  it('are routes of agents and nothing else', () => {
    for (const tool of tools) expect(agentRoutes).to.include(tool.route)
  })

  it('have names that every client takes, each once', () => {
    for (const { name } of tools) expect(name).to.match(/^(agentlink|agent)_[a-z0-9_]{1,50}$/)
    expect(new Set(tools.map((tool) => tool.name)).size).to.equal(tools.length)
  })

  it('have the names that agents were told', () => {
    const names = tools.map((tool) => tool.name)
    const told = ['agentlink_task_types', 'agentlink_task_status', 'agentlink_propose', 'agentlink_respond']
    expect(names).to.include.members([...told, 'agent_inbox', 'agent_counters'])
  })

  for (const { name, route, inputSchema, outputSchema, annotations, description, remote, places } of tools) {
    describe(name, () => {
      const row = routeOf(route)

      it('has schemas that a validator takes, with no reference in them', () => {
        const ajv = new Ajv2020({ strict: false })
        for (const schema of [inputSchema, outputSchema]) {
          expect(() => ajv.compile(schema)).to.not.throw()
          expect(JSON.stringify(schema)).to.not.include('"$ref"')
          expect([schema['type'], schema['additionalProperties']]).to.deep.equal(['object', false])
        }
      })

      it('has one place for each argument, and its path parameters are needed', () => {
        expect(Object.keys(properties(inputSchema))).to.have.members(Object.keys(places))
        const params = paramNamesOf(row.path)
        expect(inputSchema['required']).to.include.members(params)
        for (const param of params) expect(places[param]).to.equal('params')
      })

      it('says what it does to the world', () => {
        expect(annotations.readOnlyHint).to.equal(row.method === 'GET')
        if (annotations.readOnlyHint) expect(annotations.destructiveHint).to.equal(false)
        expect(annotations.openWorldHint).to.equal(remote)
        expect(description.startsWith(`${row.summary}.`)).to.equal(true)
        expect('idempotencyKey' in properties(inputSchema)).to.equal(row.once === true)
      })

      it('waits less long than a host does', () => {
        const { wait } = properties(inputSchema)
        if (wait !== undefined) expect(wait['maximum']).to.equal(TOOL_WAIT_MAX)
        else expect(row.waits).to.equal(undefined)
      })

      it('gives the notice first when it may carry remote bytes', () => {
        const names = Object.keys(properties(outputSchema))
        expect(names[0]).to.equal('notice')
        expect(properties(outputSchema)['notice']?.['const']).to.equal(NOTICE)
        expect(names.includes('result')).to.equal(!remote)
      })
    })
  }
})
