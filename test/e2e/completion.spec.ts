import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { agentlink } from './agentlink.js'

describe('the completion of the command line', () => {
  const words: ReadonlyArray<readonly [readonly string[], string]> = [
    [['envelope', 'cl'], 'claim'],
    [['grant', 'set', '--eff'], '--effect'],
    [['start', '--back'], '--background'],
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

  it('says what each offer is on one line', async () => {
    const { out } = await agentlink(['complete', '--', ''])
    const offers = out.trim().split('\n').slice(0, -1)
    expect(offers.filter((line) => !/^\S+\t\S/.test(line))).to.deep.equal([])
    expect(offers).to.have.length.above(20)
  })

  const lines: ReadonlyArray<readonly [readonly string[], string]> = [
    [['grant', 'set', '--effect', '=', 'al'], 'allow'],
    [['grant', 'set', '--effect', '='], 'allow ask deny'],
    [['task', 'show', '$(touch', 'run)'], '']
  ]
  it('works in a bash that has nothing but itself, and leaves what it does not know to it', async () => {
    const { code, out } = await agentlink(['completion', 'bash'])
    expect(code).to.equal(0)
    expect(out).to.include('complete -o default -F _agentlink agentlink')
    const asked = lines.map(([words]) => {
      const quoted = ['agentlink', ...words].map((word) => `'${word}'`).join(' ')
      return `COMP_WORDS=(${quoted}); COMP_CWORD=${words.length}; _agentlink; echo "\${COMPREPLY[*]}"`
    })
    const script = [`agentlink() { node dist/node/main.js "$@"; }`, out, ...asked].join('\n')
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-s'], { input: script, encoding: 'utf8' })
    expect([stderr, stdout.trimEnd().split('\n')]).to.deep.equal(['', lines.map(([, wanted]) => wanted).slice(0, -1)])
  })

  it('refuses a shell that it has no script for, and names those that it has', async () => {
    const { code, err } = await agentlink(['completion', 'nosh'])
    expect(code).to.equal(2)
    expect(err).to.contain('zsh, bash, fish, powershell')
  })
})
