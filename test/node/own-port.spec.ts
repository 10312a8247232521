import { expect } from 'chai'
import fc from 'fast-check'
import { ownPort } from '../../src/node/own-port.js'

describe('the loopback port of a node', () => {
  it('hangs on its key alone, beside the ports of other nodes and of outgoing connections', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (key) => {
        const port = ownPort(key)
        expect(port).to.be.within(30_000, 32_767)
        expect(ownPort(Uint8Array.from(key))).to.equal(port)
      })
    )
  })
})
