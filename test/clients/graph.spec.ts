import { expect } from 'chai'
import { readSources, type Source } from '../architecture/source.js'

const SOURCES = new Map(readSources('src').map((source) => [source.path.replace(/\.ts$/, ''), source]))

/** Everything that is loaded when `start` is: files of ours, and modules from outside. */
function loadedBy(start: string): { files: Set<string>; modules: Set<string> } {
  const files = new Set<string>()
  const modules = new Set<string>()
  const waiting = [start]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (files.has(path)) continue
    files.add(path)
    for (const { specifier, target, how } of (SOURCES.get(path) as Source).imports) {
      if (how !== 'value') continue
      if (target === undefined) modules.add(specifier)
      else waiting.push(target)
    }
  }
  return { files, modules }
}

describe('the command line', () => {
  const { files, modules } = loadedBy('node/main')

  it('loads no package but its parser, its tables and the place of the home', () => {
    const packages = [...modules].filter((name) => !name.startsWith('node:')).sort()
    expect(packages).to.deep.equal(['@bomb.sh/tab/commander', 'commander', 'env-paths', 'fast-string-width'])
  })

  it('loads no file of the node but its entry, none of the store, the network and the server', () => {
    const folders = new Set([...files].map((file) => file.split('/')[0]))
    expect([...folders].sort()).to.deep.equal(['api', 'base', 'clients', 'node', 'payments', 'policy', 'types'])
    expect([...files].filter((file) => file.startsWith('node/'))).to.deep.equal(['node/main'])
    expect([...files].filter((file) => file.startsWith('api/')).sort()).to.deep.equal([
      'api/agent-routes',
      'api/client',
      'api/definition-diff',
      'api/envelope-routes',
      'api/failure',
      'api/home',
      'api/job-routes',
      'api/offer-routes',
      'api/owner-routes',
      'api/owner-work-routes',
      'api/plan-lines',
      'api/routes',
      'api/words',
      'api/words/jobs',
      'api/words/known',
      'api/words/labels',
      'api/words/money',
      'api/words/payments',
      'api/words/reasons'
    ])
  })

  it('loads the store before the network, so that a second node fails fast', () => {
    const early = loadedBy('node/disk')
    expect([...early.modules].filter((name) => name.includes('libp2p') || name === 'fastify')).to.deep.equal([])
    expect(early.modules.has('level')).to.equal(true)
  })
})
