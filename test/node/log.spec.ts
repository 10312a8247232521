import { expect } from 'chai'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog } from '../../src/node/log.js'
import { temporaryHomes } from '../support/homes.js'

describe('the log', () => {
  const homes = temporaryHomes()
  after(() => homes.clean())

  function written(level: 'info' | 'warn' | 'silent', write: (log: ReturnType<typeof createLog>) => void): string[] {
    const directory = homes.make()
    mkdirSync(directory)
    const file = join(directory, 'log')
    const fd = openSync(file, 'a')
    const log = createLog({ level, fd })
    write(log)
    log.flush()
    closeSync(fd)
    return readFileSync(file, 'utf8').split('\n').slice(0, -1)
  }

  it('is one line of JSON for each event', () => {
    const lines = written('info', (log) => {
      log.info('ready', { port: 1, text: 'two\nlines' })
      log.warn('odd')
    })
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).to.have.length(2)
    expect(first).to.deep.include({ level: 'info', event: 'ready', port: 1, text: 'two\nlines' })
    expect(first?.['time']).to.match(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(second).to.deep.include({ level: 'warn', event: 'odd' })
  })

  it('keeps to its level', () => {
    const write = (log: ReturnType<typeof createLog>): void => (log.info('a'), log.warn('b'))
    expect(written('warn', write)).to.have.length(1)
    expect(written('silent', write)).to.have.length(0)
  })

  for (const member of [
    'token',
    'secret',
    'seed',
    'key',
    'authorization',
    'link',
    'invite',
    'payload',
    'proposal',
    'body'
  ]) {
    it(`never shows a ${member} that was passed by mistake`, () => {
      const [line] = written('info', (log) => log.info('oops', { [member]: 'hush', deeper: { [member]: 'hush' } }))
      expect(line).to.include('[redacted]').and.not.to.include('hush')
    })
  }
})
