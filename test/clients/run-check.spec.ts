import { expect } from 'chai'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckLimits, runCheck } from '../../src/clients/cli/run-check.js'

/** Whether a process still does anything: one that ended may stay in the table until its parent asks for it. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync(`/proc/${pid}/stat`) || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

describe('a run of an acceptance command', () => {
  let directory: string
  beforeEach(() => (directory = realpathSync(mkdtempSync(join(tmpdir(), 'check-')))))
  afterEach(() => rmSync(directory, { recursive: true, force: true }))

  const limits = (more: Partial<CheckLimits> = {}): CheckLimits => ({
    directory,
    timeoutMs: 10_000,
    outputBytes: 1_000_000,
    progress: () => undefined,
    ...more
  })

  it('records command, exit status, the output with its hash, and shows it as it comes', async () => {
    let seen = ''
    const run = await runCheck('pwd; echo wrong >&2; exit 3', limits({ progress: (text) => (seen += text) }))
    expect([run.command, run.exitStatus]).to.deep.equal(['pwd; echo wrong >&2; exit 3', 3])
    expect(run.output.tail.split('\n').sort()).to.deep.equal(['', 'wrong', directory].sort())
    expect(run.output.sha256).to.equal(createHash('sha256').update(run.output.tail).digest('hex'))
    expect([run.output.bytes, seen]).to.deep.equal([run.output.tail.length, run.output.tail])
  })

  it('keeps the end of a long output, and hashes all of it', async () => {
    const { output, exitStatus } = await runCheck('head -c 100000 /dev/zero | tr "\\0" a; echo END', limits())
    expect([exitStatus, output.bytes, output.tail.length]).to.deep.equal([0, 100_004, 16_000])
    expect(output.tail.endsWith('aEND\n')).to.equal(true)
    const whole = `${'a'.repeat(100_000)}END\n`
    expect(output.sha256).to.equal(createHash('sha256').update(whole).digest('hex'))
  })

  it('ends a command whose time is over, with everything that it started', async () => {
    const { exitStatus, durationMs } = await runCheck(
      'sleep 300 & echo $! > child; sleep 300',
      limits({ timeoutMs: 300 })
    )
    expect([exitStatus, durationMs < 9_000]).to.deep.equal([124, true])
    const child = Number(readFileSync(join(directory, 'child'), 'utf8'))
    expect(isRunning(child)).to.equal(false)
  })

  it('does not wait for what a command leaves in the background', async () => {
    const { exitStatus, durationMs } = await runCheck('sleep 300 & exit 0', limits())
    expect([exitStatus, durationMs < 9_000]).to.deep.equal([0, true])
  })

  it('ends a command that writes without end', async () => {
    const { exitStatus, output } = await runCheck('yes', limits({ outputBytes: 100_000 }))
    expect([exitStatus, output.bytes < 1_000_000, output.tail.length]).to.deep.equal([125, true, 16_000])
  })

  it('does not tell a command where the home is, and says when a directory is missing', async () => {
    process.env['AGENTLINK_HOME'] = '/somewhere'
    const run = await runCheck('echo "[$AGENTLINK_HOME]"', limits()).finally(() => delete process.env['AGENTLINK_HOME'])
    expect(run.output.tail).to.equal('[]\n')
    const lost = await runCheck('true', limits({ directory: join(directory, 'no') })).catch((error: unknown) => error)
    expect((lost as NodeJS.ErrnoException).code).to.equal('ENOENT')
  })
})
