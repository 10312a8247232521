import { expect } from 'chai'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sha256Hex } from '../../src/base/digest.js'
import { artifactTable, namedFile } from '../../src/clients/cli/artifacts.js'
import { CommandFailure } from '../../src/clients/cli/failure.js'

describe('a deliverable named on the command line', () => {
  let elsewhere: string
  before(() => {
    elsewhere = mkdtempSync(join(tmpdir(), 'al-'))
    for (const name of ['report.txt', 'a=b.txt']) writeFileSync(join(elsewhere, name), 'done')
  })
  after(() => rmSync(elsewhere, { recursive: true, force: true }))

  async function failure(word: string): Promise<string> {
    const error: unknown = await namedFile(word).catch((thrown: unknown) => thrown)
    if (!(error instanceof CommandFailure)) throw new Error(`${word} was taken`)
    return `${error.exitCode} ${error.message}`
  }

  it('has the path below the current folder for its location, however it was typed', async () => {
    for (const word of ['src/README.md', './src/README.md', 'src/../src/README.md', resolve('src/README.md')]) {
      const bytes = readFileSync('src/README.md')
      expect(await namedFile(word), word).to.deep.equal({
        name: 'README.md',
        location: 'src/README.md',
        mediaType: 'application/octet-stream',
        size: bytes.length,
        sha256: sha256Hex(bytes)
      })
    }
  })

  it('is refused outside of it, unless its location is said', async () => {
    const outside = join(elsewhere, 'report.txt')
    expect(await failure(outside)).to.match(/^2 .*outside the current folder.*FILE=LOCATION/)
    expect(await failure('..')).to.match(/^2 /)
    const named = await namedFile(`${outside}=https://example.org/?a=b`)
    expect(named).to.include({ name: 'example.org', location: 'https://example.org/?a=b', size: 4 })
    expect(JSON.stringify(named)).not.to.include(elsewhere).and.not.include('report')
  })

  it('is named as at its location, whatever it is called here', async () => {
    const outside = join(elsewhere, 'report.txt')
    const places = [
      ['https://example.org/out/sun.svg?v=2#top', 'sun.svg'],
      ['out/final.txt', 'final.txt'],
      ['https://example.org/out/', 'out'],
      ['?', '?']
    ] as const
    for (const [place, name] of places) expect((await namedFile(`${outside}=${place}`)).name, place).to.equal(name)
  })

  it('may hold = in its name, and must be there and be a file', async () => {
    expect(await failure(join(elsewhere, 'a=b.txt'))).to.include('outside the current folder')
    expect(await failure('nowhere.txt')).to.include("can't read nowhere.txt")
    expect(await failure('nowhere.txt=x')).to.include("can't read nowhere.txt")
    expect(await failure('src')).to.include("can't read src")
    expect(await failure('nowhere.txt=')).to.include('FILE=LOCATION')
  })

  it('is shown as it is sent', async () => {
    const file = await namedFile('src/README.md')
    expect(artifactTable([file]))
      .to.include(file.location)
      .and.include(file.sha256)
      .and.include(String(file.size))
  })
})
