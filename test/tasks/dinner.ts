import { readFileSync } from 'node:fs'
import { type Definition, readDefinition } from '../../src/types/definition.js'

/** The built-in type, from its file. */
export const DINNER: Definition = load()

function load(): Definition {
  const read = readDefinition(
    readFileSync(new URL('../../protocols/types/dinner.coordination@1.json', import.meta.url))
  )
  if (!read.ok) throw new Error(read.refusal.message)
  return read.value.definition
}
