import { mkdirSync, writeFileSync } from 'node:fs'
import { homePaths } from '../../src/api/home.js'
import type { TestApi } from '../api/test-api.js'
import { TOKENS } from '../api/views.js'

/** What a command reads of a home before it calls the node: the owner's secret and the default agent's token. */
export function makeHome({ home }: Pick<TestApi, 'home'>): void {
  const paths = homePaths(home)
  mkdirSync(paths.agent('default').directory, { recursive: true })
  writeFileSync(paths.config, '')
  writeFileSync(paths.ownerSecret, `${TOKENS.owner}\n`)
  writeFileSync(paths.agent('default').token, `${TOKENS.alice}\n`)
}
