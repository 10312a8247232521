import { expect } from 'chai'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { type Transpiled, transpile } from '../support/transpiled.js'

describe('the wish to stop', () => {
  let waiter: Transpiled

  before(() => {
    waiter = transpile('test/node/signal-waiter.ts')
  })
  after(() => waiter.dispose())

  for (const [first, second, code] of [
    ['SIGTERM', 'SIGTERM', 143],
    ['SIGINT', 'SIGTERM', 143],
    ['SIGHUP', 'SIGINT', 130]
  ] as const) {
    it(`is heard on ${first}, and ends the process at once on ${second} after it`, async () => {
      const child = spawn(process.execPath, [waiter.entry], { stdio: ['ignore', 'pipe', 'inherit'] })
      const lines = child.stdout.setEncoding('utf8')
      await once(lines, 'data')
      child.kill(first)
      expect(await once(lines, 'data')).to.deep.equal([`${first}\n`])
      child.kill(second)
      expect(await once(child, 'exit')).to.deep.equal([code, null])
    })
  }
})
