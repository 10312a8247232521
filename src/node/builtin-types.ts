import { readFileSync } from 'node:fs'
import type { InstalledType } from '../types/catalog.js'
import { readDefinition } from '../types/definition.js'

const BUILTIN = ['dinner.coordination@1', 'job.request@1']

/** The types that every node has, read from protocols/types/ by the same code as any other type. */
export function builtinTypes(): readonly InstalledType[] {
  return BUILTIN.map((name) => {
    const file = new URL(`../../protocols/types/${name}.json`, import.meta.url)
    const read = readDefinition(readFileSync(file))
    if (!read.ok) throw new Error(`protocols/types/${name}.json: ${read.refusal.message}`)
    const { definition, hash } = read.value
    return { name: definition.name, version: definition.version, hash, definition, builtin: true, retired: false }
  })
}
