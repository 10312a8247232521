import { expect } from 'chai'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { z } from 'zod'
import { CONTRACT, PARAMS } from '../../src/api/contract.js'
import { ROUTES, ROUTE_NAMES, methodsOn, paramNamesOf, pathOf, routeOf } from '../../src/api/routes.js'

describe('the route table', () => {
  it('has each method and path once', () => {
    const rows = ROUTE_NAMES.map((name) => `${ROUTES[name].method} ${ROUTES[name].path}`)
    expect(new Set(rows).size).to.equal(rows.length)
  })

  for (const name of ROUTE_NAMES) {
    const { method, path, auth, summary } = ROUTES[name]

    it(`${name} is well formed`, () => {
      const place = {
        agent: '/v1/agent/',
        owner: '/v1/owner/',
        none: routeOf(name).media === 'text/markdown' ? '/agents' : '/v1/'
      }[auth]
      expect(path.startsWith(place)).to.equal(true)
      expect(path).to.match(/^(\/[a-z0-9-]+(\.[a-z]+)?|\/:[a-zA-Z]+)+$/)
      expect(name.startsWith('owner.')).to.equal(auth === 'owner')
      expect(summary).to.match(/^[A-Z].{3,80}[^.]$/)
      if (routeOf(name).once !== undefined) expect(method).to.equal('POST')
      if (routeOf(name).waits !== undefined) expect(method).to.equal('GET')
    })

    it(`${name} has strict schemas for path, query, body and answer`, () => {
      const { query, body, answer } = CONTRACT[name] as Record<'query' | 'body' | 'answer', z.ZodType>
      for (const schema of [PARAMS[name], query, body]) {
        const outcome = schema.safeParse({ nonesuch: 1 })
        expect(outcome.error?.issues.some((issue) => issue.code === 'unrecognized_keys')).to.equal(true)
      }
      expect(answer.safeParse({ nonesuch: 1 }).success).to.equal(false)
      if (method === 'GET' || method === 'DELETE') expect(body.safeParse({}).success).to.equal(true)
    })

    it(`${name} can be written as JSON Schema`, () => {
      const { body, answer } = CONTRACT[name]
      for (const schema of [PARAMS[name], body, answer]) {
        expect(() => z.toJSONSchema(schema, { io: 'output' })).to.not.throw()
      }
    })

    it(`${name} is found under its own path`, () => {
      const params = Object.fromEntries(paramNamesOf(path).map((param) => [param, 'x/y']))
      expect(methodsOn(pathOf(name, params))).to.include(method)
    })
  }

  it('fills no path with a missing or empty parameter', () => {
    expect(() => pathOf('tasks.read')).to.throw(TypeError)
    expect(() => pathOf('tasks.read', { taskUid: '' })).to.throw(TypeError)
  })

  it('knows no methods on unknown paths', () => {
    expect(methodsOn('/v1/agent/nothing')).to.deep.equal([])
  })
})

describe('the page of the socket API', () => {
  const page = readFileSync(new URL('../../protocols/socket-api.md', import.meta.url), 'utf8')
  const section = (page.split('\n## Routes\n')[1] ?? '').split('\n## ')[0] as string
  const cells = section.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split(' | ')[0] as string] : []))
  /** `METHOD path` with its marks; a cell may name several last steps: `…/accept`, `/decline`. */
  const rows = cells.flatMap((cell) => {
    const [first = '', ...others] = [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string)
    const marks = `${cell.includes('*once*') ? ' once' : ''}${cell.includes('(no token)') ? ' open' : ''}`
    return [first, ...others.map((step) => first.replace(/\/[a-z]+$/, step))].map((row) => row + marks)
  })

  it('has the routes of the table, with their marks, and no others', () => {
    const table = ROUTE_NAMES.map(routeOf).map(({ method, path, once, auth }) => {
      return `${method} ${path}${once === true ? ' once' : ''}${auth === 'none' ? ' open' : ''}`
    })
    expect(rows).to.have.members(table)
  })
})

describe('the client module', () => {
  it('loads neither the schemas nor the server nor any package', async () => {
    const script = `
      import { register } from 'node:module'
      const seen = []
      const { port1, port2 } = new MessageChannel()
      port1.on('message', (url) => seen.push(url))
      port1.unref()
      const hooks = "let port; export const initialize = (given) => { port = given.port }; " +
        "export const load = (url, context, next) => { port.postMessage(url); return next(url, context) }"
      register('data:text/javascript,' + encodeURIComponent(hooks), { data: { port: port2 }, transferList: [port2] })
      await import(${JSON.stringify(new URL('../../src/api/client.ts', import.meta.url).href)})
      setTimeout(() => console.log(JSON.stringify(seen)), 50)`
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
    const names = (JSON.parse(stdout) as string[]).map((url) => url.replace(/^.*\/(src\/|node_modules\/|node:)/, '$1'))
    expect(names.filter((name) => name.startsWith('node_modules/'))).to.deep.equal([])
    expect(names).to.include.members(['src/api/client.ts', 'src/api/routes.ts', 'src/api/failure.ts'])
    expect(names.filter((name) => /contract|shapes|server|app/.test(name))).to.deep.equal([])
  })
})
