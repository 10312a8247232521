import { expect } from 'chai'
import { ROUTE_NAMES, type RouteName, paramNamesOf, pathOf, routeOf } from '../../src/api/routes.js'
import { good, tokenFor } from '../flows/pair.js'
import { JSON_TYPE, refusalOf } from './raw.js'
import { OWNER_SECRET, type Listener, type RealNode, startRealNode } from './real-node.js'

/** Every route of the table with every kind of caller at every listener, on the real journeys. */

describe('every route of a real node', function () {
  this.timeout(120_000)
  let at: RealNode
  const tokens: Record<string, string> = {
    garbage: 'garbage',
    'the owner': OWNER_SECRET,
    alice: tokenFor('alice'),
    carol: tokenFor('carol'),
    'a revoked agent': tokenFor('dan'),
    'a token that was rotated': tokenFor('eve')
  }
  const callers = ['nobody', ...Object.keys(tokens)]
  const listeners: readonly Listener[] = ['api', 'alice', 'carol', 'tcp']

  before(async () => {
    at = await startRealNode()
    const { world, node } = at
    for (const name of ['dan', 'eve']) good(await world.do(node.flows.owner.addAgent({ name })))
    good(await world.do(node.flows.owner.revokeAgent('dan')))
    good(await world.do(node.flows.owner.rotateToken('eve')))
  })
  after(() => at.stop())

  /** Whether the door keeper lets a caller in: by the row of the route and the listener alone. */
  function isLetIn(name: RouteName, caller: string, listener: Listener): boolean {
    const { auth } = routeOf(name)
    if (auth === 'none') return true
    if (auth === 'owner') return caller === 'the owner'
    const isAgent = caller === 'alice' || caller === 'carol'
    return isAgent && (listener === 'api' || listener === 'tcp' || listener === caller)
  }

  for (const name of ROUTE_NAMES) {
    it(`${name} lets in whom its row and the listener say, and nobody else`, async () => {
      const { method, path, auth, media } = routeOf(name)
      const params = Object.fromEntries(paramNamesOf(path).map((param) => [param, '1'.repeat(32)]))
      // Let in, a call that reads a stream or writes is refused for its odd member: nothing is changed here.
      const odd = media === 'text/event-stream' || method === 'DELETE' ? '?none=1' : ''
      const sent = method === 'GET' ? {} : { headers: [JSON_TYPE], body: '{"none":1}' }
      for (const listener of listeners) {
        for (const caller of callers) {
          at.world.clock.jump(3_000)
          const token = tokens[caller]
          const request = { method, target: pathOf(name, params) + odd, ...sent }
          const answer = await at.ask(listener, token === undefined ? request : { ...request, token })
          const who = `${caller} at ${listener}`
          if (auth === 'owner' && listener !== 'api' && listener !== 'tcp') {
            expect([answer.status, refusalOf(answer).code], who).to.deep.equal([404, 'not_found'])
          } else if (isLetIn(name, caller, listener)) expect(answer.status, who).to.be.oneOf([200, 400, 404])
          else expect([answer.status, refusalOf(answer).code], who).to.deep.equal([401, 'unauthorized'])
          for (const secret of Object.values(tokens).filter((each) => each !== 'garbage')) {
            expect(answer.text, who).not.to.include(secret)
          }
        }
      }
    })
  }
})
