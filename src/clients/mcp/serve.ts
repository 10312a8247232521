import { pipeline } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { visible } from '../../base/visible.js'
import { createLines } from './lines.js'
import { createNodeLine } from './node-line.js'
import { createMcp } from './server.js'

/** MCP over this process's stdin and stdout. Nothing else is ever written to stdout; complaints go to stderr. */

/** Bytes of one message of the client: the largest body, every character of it escaped. */
const MESSAGE_BYTES = 4 * 1024 * 1024

export interface ServeOptions {
  /** The agent's directory, absolute. */
  readonly directory: string
  readonly version: string
  readonly complain: (text: string) => void
}

/** Serves until the client is gone: its end of stdin or of stdout is closed, or a signal to end comes. */
export async function serveMcp({ directory, version, complain }: ServeOptions): Promise<void> {
  const line = createNodeLine(directory)
  const lines = createLines(MESSAGE_BYTES, (wrong) => {
    process.stdout.write(`${JSON.stringify(wrong)}\n`)
    complain(wrong.error.message)
  })
  // Whatever ends the lines is told to the transport, which complains and closes.
  pipeline(process.stdin, lines, () => undefined)
  const transport = new StdioServerTransport(lines, process.stdout, { maxBufferSize: MESSAGE_BYTES })
  const handle = serveStdio(() => createMcp(line, version), {
    transport,
    onerror: (error) => complain(visible(error.message).slice(0, 500))
  })
  const closed = new Promise<void>((resolve) => {
    const tellServer = transport.onclose
    transport.onclose = () => {
      tellServer?.()
      resolve()
    }
  })
  const end = (): void => void handle.close()
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  await closed
  process.off('SIGTERM', end)
  process.off('SIGINT', end)
  line.close()
  // A client that keeps its end open would keep this process: it is gone for us.
  process.stdin.destroy()
}
