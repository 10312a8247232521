import { expect } from 'chai'
import { type AddressInfo, type Socket, createServer } from 'node:net'
import { answerUnreadable } from '../../src/api/answer.js'
import { refusalOf, sendBytes } from './raw.js'

/** What the HTTP parser reports when its time for a request is over. */
const TOO_LATE = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

describe('a connection whose time for a request is over', () => {
  /** What a caller reads who sent `bytes` until then. */
  async function readAfter(bytes: string) {
    const server = createServer((socket: Socket) => {
      const end = (): void => answerUnreadable(TOO_LATE, socket)
      if (bytes === '') end()
      else socket.once('data', end)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      return await sendBytes({ host: '127.0.0.1', port }, bytes)
    } finally {
      server.close()
    }
  }

  it('is closed without a word when nothing came: a browser would take it for the answer to what it asks next', async () => {
    expect((await readAfter('')).status).to.equal(0)
  })

  it('is told so when a part of a request came', async () => {
    const answer = await readAfter('GET /v1/he')
    expect([answer.status, refusalOf(answer).code]).to.deep.equal([400, 'bad_request'])
  })
})
