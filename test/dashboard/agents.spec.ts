import { expect } from 'chai'
import { homePaths } from '../../src/api/home.js'
import { placesOf } from '../../src/dashboard/words/agents.js'

describe('agents on the owner’s page', () => {
  it('have their files where the home has them', () => {
    const { token, socket } = homePaths('/home/alice/link').agent('scout')
    expect(placesOf('/home/alice/link', 'scout')).to.deep.include({ token, socket })
  })

  it('are connected by commands that can be pasted, whatever the path holds', () => {
    const cases = [
      ['/home/alice', '/home/alice/agents/scout'],
      ['/home/al ice', "'/home/al ice/agents/scout'"],
      ["/home/it's $HOME", String.raw`'/home/it'\''s $HOME/agents/scout'`]
    ] as const
    for (const [home, word] of cases) {
      expect(placesOf(home, 'scout').mcp).to.equal(`agentlink mcp --agent-dir ${word}`)
      expect(placesOf(home, 'scout').page).to.match(/^curl .* http:\/\/localhost\/agents\.md$/)
    }
  })
})
