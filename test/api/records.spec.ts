import { expect } from 'chai'
import { createClient } from '../../src/api/client.js'
import { type TestApi, startTestApi } from './test-api.js'
import { TOKENS } from './views.js'

describe('the records of a node, as its owner reads them', () => {
  let api: TestApi
  afterEach(() => api.stop())

  async function linesFor(token: string): Promise<string[]> {
    const client = createClient({ socketPath: api.socket, token })
    try {
      let text = ''
      for await (const part of (await client.bytes('owner.records')) as AsyncIterable<Buffer>) text += part.toString()
      return text.trimEnd().split('\n')
    } finally {
      client.close()
    }
  }

  it('are a line each, and a last line that says how many they were', async () => {
    const records = async function* (): AsyncGenerator<readonly [string, Uint8Array]> {
      yield ['ag:x', Uint8Array.of(1)]
      yield ['ta:y', Uint8Array.of()]
    }
    api = await startTestApi({ records })
    expect(await linesFor(TOKENS.owner)).to.deep.equal(['["ag:x","AQ=="]', '["ta:y",""]', '{"records":2}'])
  })

  it('are for no agent', async () => {
    api = await startTestApi()
    const failed = await linesFor(TOKENS.alice).catch((error: Error) => error.message)
    expect(failed).to.equal('the node answered 401')
  })

  it('have no last line when the disk fails on the way', async () => {
    const records = async function* (): AsyncGenerator<readonly [string, Uint8Array]> {
      yield ['ag:x', Uint8Array.of(1)]
      throw new Error('the disk is gone')
    }
    api = await startTestApi({ records })
    const lines = await linesFor(TOKENS.owner).catch(() => ['broken off'])
    expect(lines.join()).to.not.contain('records')
    expect(api.log.map(({ event }) => event)).to.not.be.empty
  })
})
