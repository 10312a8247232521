/**
 * Bytes as lines of text, each ended by a line feed; what follows the last one comes as it is. A line longer than
 * `limit` bytes ends the reading with `tooLong()`. (Node's own line reader loses the errors of its input.)
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  limit: number,
  tooLong: () => Error
): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      parts.push(chunk.subarray(start, end))
      yield Buffer.concat(parts).toString('utf8')
      parts = []
      size = 0
      start = end + 1
    }
    parts.push(chunk.subarray(start))
    size += chunk.byteLength - start
    if (size > limit) throw tooLong()
  }
  if (size > 0) yield Buffer.concat(parts).toString('utf8')
}

const LINE_FEED = 0x0a
