import { expect } from 'chai'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = 'protocols'

interface Row {
  readonly id: string
  readonly version: string
  readonly status: string
  readonly revision: string
}

/** Cells of the table rows whose first cell is an id. */
function rowsOf(page: string): string[][] {
  const lines = readFileSync(join(FOLDER, page), 'utf8').split('\n')
  const rows = lines.filter((line) => /^\| *`agentlink\//.test(line))
  return rows.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  )
}

function rowOf([id = '', version = '', status = '', revision = '']: readonly string[]): Row {
  return { id, version, status, revision }
}

describe('the index of protocols/', () => {
  const index = new Map(rowsOf('README.md').map((cells) => [/\(([^)]+)\)/.exec(cells[4] ?? '')?.[1] ?? '', cells]))
  const pages = readdirSync(FOLDER).filter((name) => name.endsWith('.md') && name !== 'README.md')

  it('names every page, and no other', () => {
    expect([...index.keys()].sort()).to.deep.equal(pages.sort())
  })

  for (const page of pages) {
    it(`says of ${page} what the page says of itself`, () => {
      expect(rowOf(index.get(page) ?? [])).to.deep.equal(rowOf(rowsOf(page)[0] ?? []))
    })

    it(`lists the vectors that ${page} names`, () => {
      const named = readFileSync(join(FOLDER, page), 'utf8').split('\n## ')[0] ?? ''
      const own = [...named.matchAll(/`(vectors\/[^`]+\.json)`/g)].map((match) => match[1])
      const listed = [...(index.get(page)?.[5] ?? '').matchAll(/\((vectors\/[^)]+)\)/g)].map((match) => match[1])
      expect(listed.sort()).to.deep.equal([...new Set(own)].sort())
    })
  }

  it('leaves no vector out', () => {
    const listed = new Set(
      [...readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/\(vectors\/([^)]+)\)/g)].map((m) => m[1])
    )
    const there = readdirSync(join(FOLDER, 'vectors')).filter((name) => name.endsWith('.json'))
    expect(there.filter((name) => !listed.has(name))).to.deep.equal([])
  })

  it('and every page point only to files that exist', () => {
    for (const page of [...pages, 'README.md']) {
      const text = readFileSync(join(FOLDER, page), 'utf8')
      const named = [...text.matchAll(/`((?:vectors|schemas|types)\/[^`*<>{}\s]+\.json)`/g)].map((match) => match[1])
      const linked = [...text.matchAll(/\]\(((?!https?:|#)[^)#]+)/g)].map((match) => match[1])
      for (const path of [...named, ...linked])
        expect(existsSync(join(FOLDER, path ?? '')), `${page}: ${path}`).to.equal(true)
    }
  })
})
