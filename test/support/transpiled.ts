import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

/**
 * Makes plain JavaScript of a TypeScript file and of all that it imports from the repository, for tests that start many
 * processes: a loader of TypeScript in each of them would take most of the time.
 */
export interface Transpiled {
  /** The JavaScript of the entry file, to start with `node`. */
  readonly entry: string
  dispose(): void
}

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const CACHE = join(ROOT, 'node_modules/.cache')
const OPTIONS: ts.CompilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 }
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.js['"]/g

/** `entry`: path of the `.ts` file from the root of the repository. */
export function transpile(entry: string): Transpiled {
  mkdirSync(CACHE, { recursive: true })
  const out = mkdtempSync(join(CACHE, 'transpiled-'))
  writeFileSync(join(out, 'package.json'), '{"type":"module"}')
  const seen = new Set<string>()
  const waiting = [resolve(ROOT, entry)]
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue
    seen.add(file)
    const script = ts.transpileModule(readFileSync(file, 'utf8'), { compilerOptions: OPTIONS }).outputText
    const target = join(out, relative(ROOT, file).replace(/\.ts$/, '.js'))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, script)
    for (const [, path] of script.matchAll(RELATIVE_IMPORT)) waiting.push(resolve(dirname(file), `${path}.ts`))
  }
  return {
    entry: join(out, entry.replace(/\.ts$/, '.js')),
    dispose: () => rmSync(out, { recursive: true, force: true })
  }
}
