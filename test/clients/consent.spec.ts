import { expect } from 'chai'
import { type TestApi, startTestApi } from '../api/test-api.js'
import { makeHome } from './home.js'
import { agentlink, type Shown } from './screen.js'

describe('commands that take away what the owner can not simply put back', () => {
  let api: TestApi
  before(async () => {
    api = await startTestApi()
    makeHome(api)
  })
  after(() => api.stop())

  async function run(words: readonly string[], types?: string): Promise<Shown & { readonly asked: string[] }> {
    const from = api.doors.calls.names.length
    const shown = await agentlink([...words, '--home', api.home], types === undefined ? {} : { types })
    return { ...shown, asked: api.doors.calls.names.slice(from) }
  }

  const taking: ReadonlyArray<[string[], string, string]> = [
    [['agent', 'revoke', 'research'], 'revokeAgent', 'Nothing was revoked. Say --yes to revoke it.'],
    [['contact', 'remove', '@bob'], 'changeContact', 'Nothing was removed. Say --yes to remove it.']
  ]
  for (const [words, call, undone] of taking) {
    const name = words.slice(0, 2).join(' ')

    it(`${name} does nothing where nobody can be asked`, async () => {
      const { code, out, err, asked } = await run(words)
      expect([code, out, err, asked]).to.deep.equal([1, '', `agentlink: ${undone}`, []])
      const json = await run([...words, '--json'])
      expect(JSON.parse(json.out)).to.have.nested.property('error.message', undone)
    })

    it(`${name} does nothing on any word but yes`, async () => {
      for (const word of ['', 'no', 'y', 'YES']) {
        const { code, err, asked } = await run(words, word)
        expect([code, asked]).to.deep.equal([1, []])
        expect(err).to.include(`${words[2]}`).and.include(undone)
      }
    })

    it(`${name} is done on a yes, and with --yes without a question`, async () => {
      expect(await run(words, 'yes')).to.deep.include({ code: 0, asked: [call] })
      expect(await run([...words, '--yes'])).to.deep.include({ code: 0, err: '', asked: [call] })
    })
  }
})
