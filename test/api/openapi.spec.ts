import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import { CONTRACT } from '../../src/api/contract.js'
import { openApiDocument } from '../../src/api/openapi.js'
import { type RouteName, ROUTE_NAMES, paramNamesOf, pathOf, routeOf } from '../../src/api/routes.js'
import { type TestApi, startTestApi } from './test-api.js'
import { DINNER, PROPOSAL_ID, TOKENS, UID } from './views.js'
import { JSON_TYPE, send } from './raw.js'

interface Operation {
  readonly operationId: string
  readonly security: readonly object[]
  readonly parameters: ReadonlyArray<{ readonly in: string; readonly name: string }>
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
}

const document = openApiDocument()
const paths = document.paths as unknown as Record<string, Record<string, Operation>>
const templateOf = (name: RouteName) => routeOf(name).path.replace(/:([A-Za-z]+)/g, '{$1}')
const operationOf = (name: RouteName) => paths[templateOf(name)]?.[routeOf(name).method.toLowerCase()] as Operation

/** Bodies and queries that the double doors say yes to; the other routes take none. */
const BODIES: Partial<Record<RouteName, object>> = {
  'tasks.create': { type: 'dinner.coordination', participant: '@bob', proposal: DINNER },
  'tasks.propose': { proposal: DINNER },
  'tasks.respond': { proposalId: PROPOSAL_ID, decision: 'accept' },
  'inbox.ack': { upTo: 0 },
  'owner.contacts.add': { link: 'agentlink:al1alice?card=AA' },
  'owner.contacts.rename': { alias: 'bobby' },
  'owner.grants.set': { contact: '*', capability: 'disclose.budget', effect: 'allow' },
  'owner.presets.apply': { digest: 'de'.repeat(32) },
  'owner.types.inspect': { file: '{}' },
  'owner.types.install': { file: '{}' },
  'owner.approvals.answer': { decision: 'approve' }
}
const QUERIES: Partial<Record<RouteName, string>> = {
  'owner.grants.delete': '?contact=*&capability=disclose.budget',
  'owner.declines.lift': '?contact=@bob&type=quote.request'
}

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 to a validator that knows nothing of us', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>)
    expect(errors, JSON.stringify(errors)).to.equal(undefined)
    expect([valid, validator.version]).to.deep.equal([true, '3.1'])
  })

  it('has the rows of the route table and nothing else', () => {
    const rows = Object.values(paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId))
    expect(rows).to.have.members([...ROUTE_NAMES])
  })

  for (const name of ROUTE_NAMES) {
    it(`${name} says who may call, what it takes and what it answers`, () => {
      const { auth, path, method, media = 'application/json' } = routeOf(name)
      const { security, parameters, responses } = operationOf(name)
      const scheme = { agent: 'agentToken', owner: 'ownerSecret', none: undefined }[auth]
      expect(security.flatMap(Object.keys)).to.deep.equal(scheme === undefined ? [] : [scheme])
      const named = (place: string) => parameters.flatMap((one) => (one.in === place ? [one.name] : []))
      expect(named('path')).to.deep.equal(paramNamesOf(path))
      expect(named('header')).to.deep.equal(method === 'POST' ? ['Idempotency-Key'] : [])
      for (const query of named('query')) {
        const outcome = CONTRACT[name].query.safeParse({ [query]: {} })
        const unknown = outcome.error?.issues.some((issue) => issue.code === 'unrecognized_keys')
        expect(unknown, query).to.equal(false)
      }
      expect(responses).to.have.nested.property(`2XX.content.${media.replace('.', '\\.')}.schema`)
    })
  }
})

describe('the answers of a running server', () => {
  let api: TestApi
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(JSON.parse(JSON.stringify(document)) as object, 'openapi')
  before(async () => {
    api = await startTestApi()
  })
  after(() => api.stop())

  function schemaAt(...steps: string[]): ValidateFunction {
    const pointer = steps.map((step) => encodeURIComponent(step.replace(/~/g, '~0').replace(/\//g, '~1'))).join('/')
    return ajv.compile({ $ref: `openapi#/${pointer}` })
  }

  async function check(name: RouteName, token: string, body: object | undefined): Promise<number> {
    const { method, path } = routeOf(name)
    const params = Object.fromEntries(paramNamesOf(path).map((param) => [param, UID]))
    const said = body === undefined ? {} : { headers: [JSON_TYPE], body: JSON.stringify(body) }
    const target = pathOf(name, params) + (QUERIES[name] ?? '')
    const answer = await send({ path: api.socket }, { method, target, token, ...said })
    const steps = ['paths', templateOf(name), method.toLowerCase(), 'responses', '2XX', 'content', 'application/json']
    const matches = answer.status < 300 ? schemaAt(...steps, 'schema') : schemaAt('components', 'schemas', 'Failure')
    const value: unknown = JSON.parse(answer.text)
    expect(matches(value), `${answer.text.slice(0, 500)} ${JSON.stringify(matches.errors)}`).to.equal(true)
    return answer.status
  }

  beforeEach(() => api.clock.pass(10_000))

  const said = new Set<RouteName>()
  after(() => expect(said.size, 'routes that said yes').to.be.greaterThan(30))

  // The task must be there before the routes that need one.
  before(() => check('tasks.create', TOKENS.alice, BODIES['tasks.create']))

  for (const name of ROUTE_NAMES) {
    const { auth, media } = routeOf(name)
    if (media !== undefined) continue
    const token = auth === 'owner' ? TOKENS.owner : TOKENS.alice

    it(`match the document: ${name}`, async () => {
      const status = await check(name, token, BODIES[name])
      expect(status).to.be.lessThan(500)
      if (status < 300) said.add(name)
    })

    it(`match the document when it refuses: ${name}`, async () => {
      if (auth !== 'none') expect(await check(name, 'nobody', BODIES[name])).to.equal(401)
    })
  }
})
