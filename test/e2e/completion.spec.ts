import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { agentlink } from './agentlink.js'

describe('the completion of the command line', () => {
  const words: ReadonlyArray<readonly [readonly string[], string]> = [
    [['con'], 'contact'],
    [['envelope', 'cl'], 'claim'],
    [['grant', 'set', '--eff'], '--effect'],
    [['start', '--back'], '--background'],
    [['grant', 'set', '--effect', ''], 'allow'],
    [['offer', 'wi'], 'withdraw'],
    [['job', 're'], 'request'],
    [['completion', ''], 'zsh']
  ]
  for (const [typed, wanted] of words) {
    it(`knows how "${typed.join(' ')}" goes on`, async () => {
      const { code, out } = await agentlink(['complete', '--', ...typed])
      expect(code).to.equal(0)
      expect(out.split('\n').map((line) => line.split('\t')[0])).to.include(wanted)
    })
  }

  it('is a script that bash reads without a fault', async () => {
    const { code, out } = await agentlink(['completion', 'bash'])
    expect(code).to.equal(0)
    expect(spawnSync('bash', ['-n'], { input: out, encoding: 'utf8' })).to.include({ status: 0, stderr: '' })
    expect(out).to.match(/^complete -F \S+ agentlink$/m)
  })

  it('refuses a shell that it has no script for, and names those that it has', async () => {
    const { code, err } = await agentlink(['completion', 'nosh'])
    expect(code).to.equal(2)
    expect(err).to.contain('zsh, bash, fish, powershell')
  })
})
