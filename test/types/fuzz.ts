/**
 * `npm run fuzz:types -- [--cases N] [--seed S]`: hostile definitions by the hundred thousand. Exits 1 at the first that is
 * judged wrongly, and prints it with the seed that makes it again.
 */
import fc from 'fast-check'
import { parseArgs } from 'node:util'
import { hostile, wrongWith } from './hostile.js'

const { values } = parseArgs({ options: { cases: { type: 'string', default: '200000' }, seed: { type: 'string' } } })
const cases = Number(values.cases)
const seed = Number(values.seed ?? '1')
/** Made together: few enough to keep in memory. */
const PORTION = 2000

/** Enough to see what it is; the seed gives the whole. */
function shown(one: { readonly value: unknown } | { readonly file: Uint8Array }): string {
  return JSON.stringify('file' in one ? Buffer.from(one.file).toString('latin1') : one.value).slice(0, 2000)
}

const began = performance.now()
for (let done = 0; done < cases; done += PORTION) {
  const portion = seed + done / PORTION
  for (const one of fc.sample(hostile, { numRuns: Math.min(PORTION, cases - done), seed: portion })) {
    const fault = wrongWith(one)
    if (fault === undefined) continue
    console.log(`${fault}\n${shown(one)}`)
    console.log(`again: npm run fuzz:types -- --cases ${PORTION} --seed ${portion}`)
    process.exit(1)
  }
}
console.log(`${cases} hostile definitions were judged rightly in ${Math.round((performance.now() - began) / 1000)} s`)
