import { expect } from 'chai'
import fc from 'fast-check'
import { type WrongLine, createLines } from '../../../src/clients/mcp/lines.js'

const MOST = 200
const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}\n'

interface Heard {
  readonly through: string
  readonly answers: (readonly [WrongLine['id'], number])[]
  readonly ended?: string
}

/** Feeds the bytes in pieces of the given sizes. */
async function hear(text: string | Uint8Array, sizes: readonly number[] = []): Promise<Heard> {
  const answers: (readonly [WrongLine['id'], number])[] = []
  const lines = createLines(MOST, ({ id, error }) => void answers.push([id, error.code]))
  let through = ''
  let ended: string | undefined
  lines.on('data', (part: Buffer) => (through += part.toString('utf8')))
  lines.on('error', (error) => (ended = error.message))
  let rest = Buffer.from(text)
  for (const size of [...sizes, rest.length]) {
    if (rest.length > 0 && !lines.destroyed) lines.write(rest.subarray(0, size))
    rest = rest.subarray(size)
  }
  if (!lines.destroyed) lines.end()
  await new Promise((resolve) => lines.once('close', resolve))
  return { through, answers, ...(ended === undefined ? {} : { ended }) }
}

describe('the lines of an MCP client', () => {
  const wrong: ReadonlyArray<[string, string | Uint8Array, WrongLine['id'], number]> = [
    ['words', 'hello\n', null, -32_700],
    ['half of a message', '{"jsonrpc":"2.0","id":7,\n', null, -32_700],
    ['bytes that are no text', Uint8Array.of(0xff, 0xfe, 0x0a), null, -32_700],
    ['a batch', `[${PING.trim()}]\n`, null, -32_600],
    ['a number', '7\n', null, -32_600],
    ['null', 'null\n', null, -32_600],
    ['another version, with its id', '{"jsonrpc":"1.0","id":7,"method":"ping"}\n', 7, -32_600],
    ['no version, with a text as id', '{"id":"seven","method":"ping"}\n', 'seven', -32_600],
    ['an id that is none', '{"jsonrpc":"2.0","id":{},"method":"ping"}\n', null, -32_600],
    ['params that are none', '{"jsonrpc":"2.0","id":7,"method":"ping","params":5}\n', 7, -32_600]
  ]
  for (const [what, line, id, code] of wrong) {
    it(`answer ${what} as JSON-RPC says, and go on`, async () => {
      const bytes = Buffer.concat([Buffer.from(line), Buffer.from(PING)])
      expect(await hear(bytes)).to.deep.equal({ through: PING, answers: [[id, code]] })
    })
  }

  it('pass messages of every kind, and empty lines are nothing', async () => {
    const kinds = [
      PING,
      '{"jsonrpc":"2.0","id":"a","method":"x","params":{"y":[1]}}\r\n',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
      '{"jsonrpc":"2.0","id":3,"result":{}}\n',
      '{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"no"}}\n'
    ]
    expect(await hear(`\n\r\n${kinds.join('\n')}  \n`)).to.deep.equal({ through: kinds.join(''), answers: [] })
  })

  it('mean the same in whatever pieces they come', async () => {
    const text = `${PING}nonsense é\n\n[]\n${PING}`
    const whole = await hear(text)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 20 }), async (sizes) => {
        expect(await hear(text, sizes)).to.deep.equal(whole)
      }),
      { numRuns: 50 }
    )
  })

  it('end with a line that is too long, in one piece or in many', async () => {
    for (const sizes of [[], Array<number>(100).fill(3)]) {
      const { through, ended } = await hear(`${PING}${'x'.repeat(MOST + 1)}`, sizes)
      expect([through, ended]).to.deep.equal([PING, `a message is larger than ${MOST} bytes`])
    }
  })
})
