import { Readable } from 'node:stream'
import type { Log } from '../flows/ports.js'
import { refuse } from './answer.js'
import { failed } from './fault.js'
import { type Perform, readCall } from './perform.js'

/**
 * The node's records as of one moment, a line each, for a backup: `["place","base64"]`, and last `{"records":n}`. No key
 * of the home is among them: whoever makes a backup reads those where they are. Spec: protocols/socket-api.md, "Records".
 */
export function createRecords(components: {
  readonly records: () => AsyncIterable<readonly [string, Uint8Array]>
  readonly log: Log
}): Perform {
  return async (name, request, reply) => {
    const call = readCall(name, request)
    if (!call.ok) return refuse(reply, call.refusal)
    const lines = Readable.from(linesOf(components.records()), { objectMode: false })
    // The answer is on its way: all that can be told is that it broke off.
    lines.on('error', (error) => failed(components.log, error, request))
    return reply.type('application/x-ndjson').send(lines)
  }
}

async function* linesOf(records: AsyncIterable<readonly [string, Uint8Array]>): AsyncGenerator<Uint8Array> {
  let count = 0
  for await (const [place, bytes] of records) {
    count++
    yield Buffer.from(`${JSON.stringify([place, Buffer.from(bytes).toString('base64')])}\n`)
  }
  yield Buffer.from(`${JSON.stringify({ records: count })}\n`)
}
