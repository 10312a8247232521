import { readFileSync } from 'node:fs'

/** What package.json says of the program that runs. */
export interface ProgramFacts {
  readonly version: string
  /** `node`: the versions of the runtime that it takes. */
  readonly engines: { readonly node: string }
}

export function programFacts(): ProgramFacts {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as ProgramFacts
}
