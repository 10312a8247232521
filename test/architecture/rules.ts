/** The rules of the ladder over sources. Each answers with sentences that begin with the offending `file:line`. */
import ts from 'typescript'
import { EMPTY_WORDS, type Folder, LADDER, LIBRARY_HOMES, NARROWER, NODE_MODULES, PURE_CRYPTO } from './ladder.js'
import { type Import, type Source, lineOf, visit } from './source.js'

/** Imports of other folders that the ladder does not allow. */
export function ladderFaults(sources: readonly Source[]): string[] {
  return eachImport(sources, (source, found) => {
    if (found.target === undefined) return undefined
    if (mayImport(source, found)) return undefined
    return `${source.folder}/ may not import ${found.target} (${found.how})`
  })
}

function mayImport(source: Source, found: Import): boolean {
  const target = found.target ?? ''
  const folder = target.split('/')[0] ?? ''
  if (folder === source.folder) return true
  const narrower = NARROWER[source.folder as Folder]
  if (narrower !== undefined) return narrower.some((entry) => target === entry || target.startsWith(`${entry}/`))
  const [from, to] = [LADDER.indexOf(source.folder as Folder), LADDER.indexOf(folder as Folder)]
  return to !== -1 && to < from
}

/** Libraries outside their home, libraries without a home, and Node modules where they are not allowed. */
export function libraryFaults(sources: readonly Source[]): string[] {
  return eachImport(sources, (source, found) => {
    if (found.target !== undefined) return undefined
    return found.specifier.startsWith('node:') ? nodeModuleFault(source, found) : homeFault(source, found)
  })
}

function nodeModuleFault(source: Source, found: Import): string | undefined {
  const allowed = NODE_MODULES[source.folder as Folder] ?? []
  if (!allowed.includes('*') && !allowed.includes(found.specifier)) {
    return `${source.folder}/ may not import ${found.specifier}`
  }
  const crypto = found.specifier === 'node:crypto' ? PURE_CRYPTO[source.folder as Folder] : undefined
  if (crypto === undefined) return undefined
  const odd = found.names.filter((name) => !crypto.includes(name))
  if (found.names.length === 0) return `${source.folder}/ must name what it takes from node:crypto`
  return odd.length === 0 ? undefined : `${source.folder}/ may not take ${odd.join(', ')} from node:crypto`
}

function homeFault(source: Source, found: Import): string | undefined {
  const homes = homesOf(found.specifier)
  if (homes.length === 0) return `${found.specifier} has no home in the ladder`
  if (homes.includes(source.folder as Folder)) return undefined
  return `${found.specifier} lives in ${homes.join('/ and ')}/, not in ${source.folder}/`
}

function homesOf(specifier: string): readonly Folder[] {
  const entry = Object.entries(LIBRARY_HOMES).find(([name]) =>
    name.endsWith('/') ? specifier.startsWith(name) : specifier === name || specifier.startsWith(`${name}/`)
  )
  return entry === undefined ? [] : [entry[1]].flat()
}

/** Files that lie outside the folders of the ladder. */
export function placeFaults(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => !LADDER.includes(source.folder as Folder))
    .map((source) => `${source.path}:1 lies outside the folders of the ladder`)
}

/** One sentence for each cycle of imports, type imports included. */
export function cycleFaults(sources: readonly Source[]): string[] {
  const graph = new Map(sources.map((source) => [source.path.replace(/\.tsx?$/, ''), source]))
  const done = new Set<string>()
  const faults: string[] = []
  const walk = (name: string, trail: readonly string[]): void => {
    if (done.has(name)) return
    for (const found of graph.get(name)?.imports ?? []) {
      if (found.target === undefined || !graph.has(found.target)) continue
      const at = [...trail, name].indexOf(found.target)
      if (at === -1) walk(found.target, [...trail, name])
      else faults.push(`${name}.ts:${found.line} closes a cycle: ${[...trail, name].slice(at).join(' > ')}`)
    }
    done.add(name)
  }
  for (const name of graph.keys()) walk(name, [])
  return faults
}

/** Files that are loaded, at once and for their values, when `entry` is: paths without ending. */
export function loadedBy(sources: readonly Source[], entry: string): ReadonlySet<string> {
  const graph = new Map(sources.map((source) => [source.path.replace(/\.tsx?$/, ''), source]))
  const seen = new Set<string>()
  const walk = (name: string): void => {
    if (seen.has(name) || !graph.has(name)) return
    seen.add(name)
    const imports = graph.get(name)?.imports ?? []
    for (const found of imports) if (found.how === 'value' && found.target !== undefined) walk(found.target)
  }
  walk(entry)
  return seen
}

/** File names and exported names made of words that say nothing. */
export function nameFaults(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const path = source.path.replace(/\.tsx?$/, '')
    const inPath = emptyWord(path).map((word) => `${source.path}:1 has "${word}" in its name`)
    const exported = source.tree.statements.filter(isExported).flatMap((statement) => declaredNames(statement))
    const inExports = exported.flatMap((name) =>
      emptyWord(name.text).map((word) => `${source.path}:${lineOf(source.tree, name)} exports "${name.text}" (${word})`)
    )
    return [...inPath, ...inExports]
  })
}

/** Comments that put work off. */
export function putOffFaults(sources: readonly Source[]): string[] {
  return sources.flatMap((source) =>
    source.tree.text.split('\n').flatMap((line, index) => {
      const mark = /\b(TODO|FIXME|XXX|HACK)\b/.exec(line)
      return mark === null ? [] : [`${source.path}:${index + 1} puts work off (${mark[0]})`]
    })
  )
}

function emptyWord(name: string): string[] {
  const words = name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase())
  return words.filter((word) => EMPTY_WORDS.has(word))
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : []
  return modifiers.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword)
}

function declaredNames(statement: ts.Statement): ts.Identifier[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((declaration) => declaration.name).filter(ts.isIdentifier)
  }
  const names: ts.Identifier[] = []
  visit(statement, (node) => {
    if (node.parent === statement && ts.isIdentifier(node)) names.push(node)
  })
  return names.slice(0, 1)
}

function eachImport(
  sources: readonly Source[],
  judge: (source: Source, found: Import) => string | undefined
): string[] {
  return sources.flatMap((source) =>
    source.imports.flatMap((found) => {
      const fault = judge(source, found)
      return fault === undefined ? [] : [`${source.path}:${found.line} ${fault}`]
    })
  )
}
