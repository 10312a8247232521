/** Cases for the strict reader. `reader` is `strict` or `canonical`; `bytes` is hex; `canonical` the canonical text. */
import { toHex, toUtf8 } from '../../../src/base/bytes.js'
import type { VectorCase } from './form.js'

const BOUNDS = { maxBytes: 65536, maxDepth: 8 }

function takes(name: string, text: string, canonical = text): VectorCase {
  return { name, reader: canonical === text ? 'canonical' : 'strict', bytes: toHex(toUtf8(text)), ...BOUNDS, canonical }
}

function refuses(name: string, text: string | Uint8Array, refused: string, bounds: object = {}): VectorCase {
  const bytes = toHex(typeof text === 'string' ? toUtf8(text) : text)
  return { name, reader: refused === 'not_canonical' ? 'canonical' : 'strict', bytes, ...BOUNDS, ...bounds, refused }
}

function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels)
}

export const about =
  'Strict JSON and canonical bytes (wire.md). Every case is read by the strict reader; where reader is canonical, the bytes must also be the canonical form.'

export function cases(): VectorCase[] {
  return [
    takes('an empty object', '{}'),
    takes('every kind of value', '{"a":[],"b":true,"c":null,"d":"x","e":1.5,"f":{"g":-1}}'),
    takes('a text alone', '"x"'),
    takes('blanks between tokens are strict but not canonical', ' {\n\t"a" : 1 }\r\n', '{"a":1}'),
    takes('members in another order', '{"b":1,"a":2}', '{"a":2,"b":1}'),
    takes('members by UTF-16 code units: a surrogate pair before U+FB33', '{"\u{1f600}":1,"\ufb33":2}'),
    takes('escapes that are needed, and no others', '{"a":"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f/é€😀\u007f"}'),
    takes('escapes that are not needed', '"\\/\\u0041\\u00E9\\ud83d\\ude00"', '"/Aé😀"'),
    takes('a control in upper-case hex', '"\\u001F"', '"\\u001f"'),
    takes('the largest and smallest integers', '[9007199254740991,-9007199254740991]'),
    takes('fractions as ECMAScript writes them', '[0.1,333333333.3333333,1e-7,5e-324]'),
    takes('another way to write a number', '[1.0,1E2,1e-0]', '[1,100,1]'),
    takes('the greatest depth', nested(8)),
    refuses('not_canonical: a blank', '{"a": 1}', 'not_canonical'),
    refuses('not_canonical: a line end after the value', '{}\n', 'not_canonical'),
    refuses('not_canonical: order of members', '{"b":1,"a":2}', 'not_canonical'),
    refuses('not_canonical: an escaped slash', '"\\/"', 'not_canonical'),
    refuses('not_canonical: an escape in upper-case hex', '"\\u001F"', 'not_canonical'),
    refuses('not_canonical: \\u000a for \\n', '"\\u000a"', 'not_canonical'),
    refuses('not_canonical: 1.0', '1.0', 'not_canonical'),
    refuses('not_canonical: 1e2', '1e2', 'not_canonical'),
    refuses('not_canonical: more digits than a double holds', '0.10000000000000001', 'not_canonical'),
    refuses('too deep', nested(9), 'too_deep'),
    refuses('too deep, before anything else is wrong', '['.repeat(1000), 'too_deep'),
    refuses('too large', '"xx"', 'too_large', { maxBytes: 3 }),
    refuses('a member twice', '{"a":1,"a":1}', 'duplicate_key'),
    refuses('a member twice, once escaped', '{"a":1,"\\u0061":2}', 'duplicate_key'),
    refuses('a member twice, not next to each other and out of order', '{"b":1,"a":2,"c":3,"b":4}', 'duplicate_key'),
    refuses('a member twice, deep inside', '[{"x":{"a":1,"a":2}}]', 'duplicate_key'),
    refuses('__proto__', '{"__proto__":1}', 'malformed_json'),
    refuses('__proto__ by an escape', '{"\\u005f_proto__":1}', 'malformed_json'),
    refuses('constructor', '{"constructor":1}', 'malformed_json'),
    refuses('prototype', '{"prototype":1}', 'malformed_json'),
    refuses('nothing', '', 'malformed_json'),
    refuses('a byte order mark', Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d), 'malformed_json'),
    refuses('bytes that are no UTF-8', Uint8Array.of(0x22, 0xff, 0x22), 'malformed_json'),
    refuses('an overlong encoding', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22), 'malformed_json'),
    refuses('a surrogate in UTF-8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), 'malformed_json'),
    refuses('a lone high surrogate by escape', '"\\ud800"', 'malformed_json'),
    refuses('a lone low surrogate by escape', '"\\udc00"', 'malformed_json'),
    refuses('surrogates in the wrong order', '"\\udc00\\ud800"', 'malformed_json'),
    refuses('a high surrogate before a plain character', '"\\ud83dx"', 'malformed_json'),
    refuses('an unsafe integer', '9007199254740992', 'malformed_json'),
    refuses('an unsafe integer by exponent', '1e16', 'malformed_json'),
    refuses('a number beyond every double', '1e400', 'malformed_json'),
    refuses('minus zero', '-0', 'malformed_json'),
    refuses('minus zero by underflow', '-1e-400', 'malformed_json'),
    refuses('a leading zero', '01', 'malformed_json'),
    refuses('a plus sign', '+1', 'malformed_json'),
    refuses('a point without digits', '1.', 'malformed_json'),
    refuses('NaN', 'NaN', 'malformed_json'),
    refuses('a comma at the end', '[1,]', 'malformed_json'),
    refuses('a comment', '{}/**/', 'malformed_json'),
    refuses('two values', '{}{}', 'malformed_json'),
    refuses('single quotes', "'x'", 'malformed_json'),
    refuses('a control character in a text', '"\n"', 'malformed_json'),
    refuses('a text without end', '"x', 'malformed_json'),
    refuses('an unknown escape', '"\\x41"', 'malformed_json'),
    refuses('a no-break space between tokens', '[\u00a01]', 'malformed_json')
  ]
}
