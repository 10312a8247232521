import { expect } from 'chai'
import { STORIES, playStory } from './stories.js'

describe('a node beside one that misbehaves', () => {
  for (const name of Object.keys(STORIES)) {
    it(`sees to it that ${name}`, async () => {
      expect(await playStory(name)).to.deep.equal([])
    })
  }
})
