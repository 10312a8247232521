import { expect } from 'chai'
import { mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLog, type NodeLog } from '../../src/node/log.js'
import { temporaryHomes } from '../support/homes.js'

describe('the log', () => {
  const homes = temporaryHomes()
  after(() => homes.clean())

  type Level = 'info' | 'warn' | 'silent'

  async function written(
    level: Level,
    write: (log: NodeLog) => void,
    reader: 'eye' | 'program' = 'program'
  ): Promise<string[]> {
    const directory = homes.make()
    mkdirSync(directory)
    const file = join(directory, 'log')
    const log = createLog({ level, fd: openSync(file, 'a'), reader })
    write(log)
    await log.close()
    return readFileSync(file, 'utf8').split('\n').slice(0, -1)
  }

  it('is one line of JSON for each event', async () => {
    const lines = await written('info', (log) => {
      log.info('ready', { port: 1, text: 'two\nlines' })
      log.warn('odd')
    })
    const [first, second] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines).to.have.length(2)
    expect(first).to.deep.include({ level: 'info', event: 'ready', port: 1, text: 'two\nlines' })
    expect(first?.['time']).to.match(/^\d{4}-\d\d-\d\dT.*Z$/)
    expect(second).to.deep.include({ level: 'warn', event: 'odd' })
  })

  it('is plain on a terminal, still one line for each event, and hides there what it hides elsewhere', async () => {
    const write = (log: NodeLog): void => {
      log.info('ready', { port: 1, text: 'two\nlines\u001b[2J', token: 'hush' })
      log.warn('odd')
    }
    const [first, second] = await written('info', write, 'eye')
    expect(first).to.match(/^\d\d:\d\d:\d\d ready port=1 text=two\S*lines\S*\[2J token=\[redacted\]$/)
    expect(first).not.to.include('\u001b')
    expect(second).to.match(/^\d\d:\d\d:\d\d warning: odd$/)
  })

  it('keeps to its level', async () => {
    const write = (log: NodeLog): void => (log.info('a'), log.warn('b'))
    expect(await written('warn', write)).to.have.length(1)
    expect(await written('silent', write)).to.have.length(0)
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
    it(`never shows a ${member} that was passed by mistake`, async () => {
      const [line] = await written('info', (log) =>
        log.info('oops', { [member]: 'hush', deeper: { [member]: 'hush' } })
      )
      expect(line).to.include('[redacted]').and.not.to.include('hush')
    })
  }

  it('takes nothing more once it is closed, and does not mind', async () => {
    const directory = homes.make()
    mkdirSync(directory)
    const log = createLog({ level: 'info', fd: openSync(join(directory, 'log'), 'a') })
    await log.close()
    log.info('late')
    log.flushNow()
    await log.close()
    expect(readFileSync(join(directory, 'log'), 'utf8')).to.equal('')
  })

  it('writes out all at once when the process is about to crash', () => {
    const directory = homes.make()
    mkdirSync(directory)
    const log = createLog({ level: 'info', fd: openSync(join(directory, 'log'), 'a') })
    log.warn('the end')
    log.flushNow()
    expect(readFileSync(join(directory, 'log'), 'utf8')).to.include('the end')
  })
})
