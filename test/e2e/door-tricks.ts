/** What is tried at the door of the owner's page by those who read HTTP better than others do. */

/** Paths that other servers have taken for files of theirs. */
export const TRICKS = [
  '/dashboard/../package.json',
  '/dashboard/..%2f..%2fpackage.json',
  '/dashboard/%2e%2e/%2e%2e/package.json',
  '/dashboard/%252e%252e/package.json',
  '/dashboard/..\\..\\package.json',
  '/dashboard/..%5c..%5cpackage.json',
  '/dashboard/assets/%00',
  '/dashboard/index.html%00.js',
  '/dashboard/index.html',
  '/dashboard/index.html.',
  '/dashboard/index.html...',
  '/dashboard//',
  '/dashboard/./',
  '/dashboard/;x',
  '/dashboard/assets',
  '/dashboard/assets/',
  '/dashboard/assets/.vite/manifest.json',
  '/dashboard/__proto__',
  '/dashboard/constructor',
  '/dashboard/hasOwnProperty',
  '/DASHBOARD/',
  '//dashboard/',
  '/dashboard/%',
  '/dashboard/%zz',
  '/dashboard/%ff%fe',
  `/dashboard/${'a/'.repeat(4000)}`,
  `/dashboard/${'%2e'.repeat(3000)}`
]

/** Requests of which two readers could see two things: heads, bodies. */
export const SMUGGLED: [string, string[], string][] = [
  ['a length beside chunks', ['Content-Length: 6', 'Transfer-Encoding: chunked'], '0\r\n\r\nX'],
  ['chunks beside a length', ['Transfer-Encoding: chunked', 'Content-Length: 6'], '0\r\n\r\nX'],
  ['two lengths', ['Content-Length: 2', 'Content-Length: 60'], '{}'],
  ['two equal lengths', ['Content-Length: 2', 'Content-Length: 2'], '{}'],
  ['a list of lengths', ['Content-Length: 2, 2'], '{}'],
  ['a negative length', ['Content-Length: -1'], '{}'],
  ['a length with a plus', ['Content-Length: +2'], '{}'],
  ['a length in hex', ['Content-Length: 0x2'], '{}'],
  ['a length beyond numbers', ['Content-Length: 99999999999999999999'], '{}'],
  ['a space before the colon', ['Content-Length : 2'], '{}'],
  ['chunks of a false name', ['Transfer-Encoding: xchunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ['chunks that are not last', ['Transfer-Encoding: chunked, identity'], '2\r\n{}\r\n0\r\n\r\n'],
  ['a folded header', ['Transfer-Encoding:', ' chunked'], '2\r\n{}\r\n0\r\n\r\n'],
  ['a chunk of no size', ['Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'],
  ['a chunk of a negative size', ['Transfer-Encoding: chunked'], '-2\r\n{}\r\n0\r\n\r\n'],
  ['a header with a lone CR', ['X: a\rContent-Length: 2'], '{}'],
  ['a header with a NUL', ['X: a\0b', 'Content-Length: 2'], '{}']
]
