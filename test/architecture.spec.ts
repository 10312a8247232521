import { expect } from 'chai'
import { fileURLToPath } from 'node:url'
import { impureFaults } from './architecture/banned.js'
import { LADDER } from './architecture/ladder.js'
import {
  cycleFaults,
  ladderFaults,
  libraryFaults,
  loadedBy,
  nameFaults,
  placeFaults,
  putOffFaults
} from './architecture/rules.js'
import { readSources, sourceOf } from './architecture/source.js'

const sources = readSources(fileURLToPath(new URL('../src/', import.meta.url)))

describe('the ladder of src', () => {
  it('has every file in one of its folders', () => {
    expect(placeFaults(sources)).to.deep.equal([])
  })

  it('is only climbed upwards: no folder imports one below it', () => {
    expect(ladderFaults(sources)).to.deep.equal([])
  })

  it('gives every library one home and keeps Node modules out of the pure folders', () => {
    expect(libraryFaults(sources)).to.deep.equal([])
  })

  it('keeps clock, randomness, timers and process out of the pure folders and the flows', () => {
    expect(impureFaults(sources)).to.deep.equal([])
  })

  it('has no cycle of imports', () => {
    expect(cycleFaults(sources)).to.deep.equal([])
  })

  it('has names that say something', () => {
    expect(nameFaults(sources)).to.deep.equal([])
  })

  it('has no comment that puts work off', () => {
    expect(putOffFaults(sources)).to.deep.equal([])
  })

  it('lets the command line start without loading the node, the network or the database', () => {
    const loaded = [...loadedBy(sources, 'node/main')]
    expect(
      loaded.filter((path) => /^(net|store|solana|wire|tasks|api\/server|flows\/(?!views|doors))\b/.test(path))
    ).to.deep.equal([])
  })

  it('lets a node start without loading what speaks to a chain, and a wallet without the runtime of the local chain', () => {
    const loaded = (entry: string): string[] => [...loadedBy(sources, entry)]
    for (const entry of ['node/run', 'node/assembly', 'node/disk', 'node/chain']) {
      expect(loaded(entry).filter((path) => path.startsWith('solana/'))).to.deep.equal([])
    }
    expect(loaded('node/wallet').filter((path) => path.startsWith('solana/localnet/'))).to.deep.equal([])
    expect(loaded('node/localnet')).to.not.include('solana/localnet/ledger')
  })
})

describe('the rules of the ladder', () => {
  const cases: [string, string, string, (sources: ReturnType<typeof sourceOf>[]) => string[]][] = [
    ['a step down', 'base/a.ts', "import { x } from '../wire/keys.js'", ladderFaults],
    ['a step down for a type', 'policy/a.ts', "import type { X } from '../flows/ports.js'", ladderFaults],
    ['a step down by re-export', 'tasks/a.ts', "export * from '../store/level.js'", ladderFaults],
    ['a step down by import()', 'flows/a.ts', "const x = await import('../net/host.js')", ladderFaults],
    ['a step down by import type', 'wire/a.ts', "type X = import('../flows/ports.js').Clock", ladderFaults],
    ['an adapter inside the journeys', 'store/a.ts', "import { x } from '../flows/receive.js'", ladderFaults],
    ['one adapter in another', 'api/a.ts', "import { x } from '../store/level.js'", ladderFaults],
    ['a client that reaches past the API', 'clients/cli/a.ts', "import { x } from '../../tasks/log.js'", ladderFaults],
    ['a client that loads the node', 'clients/cli/a.ts', "await import('../../node/run.js')", ladderFaults],
    ['a computed import', 'base/a.ts', 'const x = await import(name)', libraryFaults],
    ['a library away from home', 'flows/a.ts', "import { Level } from 'level'", libraryFaults],
    ['a library without a home', 'node/a.ts', "import x from 'left-pad'", libraryFaults],
    ['a module of Node in a pure folder', 'types/a.ts', "import { readFileSync } from 'node:fs'", libraryFaults],
    ['randomness out of node:crypto', 'wire/a.ts', "import { randomBytes } from 'node:crypto'", libraryFaults],
    ['the whole of node:crypto', 'base/a.ts', "import * as crypto from 'node:crypto'", libraryFaults],
    ['the clock', 'tasks/a.ts', 'const now = Date.now()', impureFaults],
    ['the clock by new Date()', 'tasks/a.ts', 'const now = new Date()', impureFaults],
    ['the clock by Date()', 'tasks/a.ts', 'const now = Date()', impureFaults],
    ['an alias of Date', 'tasks/a.ts', 'const D = Date', impureFaults],
    ['Math.random', 'flows/a.ts', 'const x = Math.random()', impureFaults],
    ['a timer', 'flows/a.ts', 'setTimeout(() => 1, 5)', impureFaults],
    ['a timer behind a shorthand', 'flows/a.ts', 'const world = { setImmediate }', impureFaults],
    ['the process', 'policy/a.ts', 'const x = process.env.HOME', impureFaults],
    ['web crypto', 'wire/a.ts', 'crypto.getRandomValues(new Uint8Array(1))', impureFaults],
    ["the machine's locale", 'types/a.ts', "['b'].sort((a, b) => a.localeCompare(b))", impureFaults],
    ['a timer in the store', 'store/a.ts', 'setTimeout(() => 1, 5)', impureFaults],
    ['a cycle', 'base/a.ts', "import type { A } from './a.js'", cycleFaults],
    ['an empty file name', 'base/string-utils.ts', '', nameFaults],
    ['an empty export', 'base/a.ts', 'export class ContactManager {}', nameFaults],
    ['an empty exported function', 'base/a.ts', 'export function readData() {}', nameFaults],
    ['work put off', 'base/a.ts', '// TO' + 'DO later', putOffFaults],
    ['a folder that is not in the ladder', 'extra/a.ts', '', placeFaults]
  ]
  for (const [what, path, text, rule] of cases) {
    it(`catch ${what}, with file and line`, () => {
      const faults = rule([sourceOf(path, `// opening\n${text}\n`)])
      expect(faults).to.have.length(1)
      expect(faults[0]).to.match(/^[\w/-]+\.ts:[12] /)
    })
  }

  it('let through what is allowed', () => {
    const allowed = [
      [
        'wire/a.ts',
        "import { sign, verify, type KeyObject } from 'node:crypto'\nimport { ok } from '../base/result.js'"
      ],
      ['base/b.ts', 'export const day = (t: number): Date => new Date(t), x = Date.parse("2026-01-01")'],
      ['store/a.ts', "import type { Store } from '../flows/ports.js'\nimport { Level } from 'level'"],
      ['clients/cli/a.ts', "import { createClient } from '../../api/client.js'"],
      ['node/main.ts', "const { run } = await import('./run.js')"],
      ['flows/a.ts', 'interface Clock { process: string }\nexport const f = (c: Clock) => c.process']
    ].map(([path, text]) => sourceOf(path ?? '', text ?? ''))
    const rules = [placeFaults, ladderFaults, libraryFaults, impureFaults, cycleFaults, nameFaults]
    expect(rules.flatMap((rule) => rule(allowed))).to.deep.equal([])
  })

  it('find a cycle through several files', () => {
    const files = ['a', 'b', 'c'].map((name, index, all) =>
      sourceOf(`base/${name}.ts`, `import type { X } from './${all[(index + 1) % 3]}.js'`)
    )
    expect(cycleFaults(files)).to.deep.equal(['base/c.ts:1 closes a cycle: base/a > base/b > base/c'])
  })

  it('name every folder once', () => {
    expect(new Set(LADDER).size).to.equal(LADDER.length)
  })
})
