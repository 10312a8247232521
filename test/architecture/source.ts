/** Reads TypeScript sources into what the architecture rules ask of them: imports, exports and mentions of names. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import ts from 'typescript'

export interface Import {
  readonly line: number
  /** As written. */
  readonly specifier: string
  /** Path in `src/` without its ending (`flows/ports`), when it points into `src/`. */
  readonly target: string | undefined
  /** Names taken; empty for a bare, namespace or dynamic import. */
  readonly names: readonly string[]
  readonly how: 'value' | 'type' | 'lazy'
}

export interface Source {
  /** Path below the root with `/`, ending included: `flows/ports.ts`. */
  readonly path: string
  readonly folder: string
  readonly tree: ts.SourceFile
  readonly imports: readonly Import[]
}

/** All `.ts` and `.tsx` files below `root`, sorted. */
export function readSources(root: string): Source[] {
  return filesBelow(root)
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => sourceOf(relative(root, file).split(sep).join('/'), readFileSync(file, 'utf8')))
}

/** One source from its text; `path` as in `Source`. */
export function sourceOf(path: string, text: string): Source {
  const tree = ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.ES2023,
    true,
    path.endsWith('x') ? ts.ScriptKind.TSX : undefined
  )
  const imports: Import[] = []
  visit(tree, (node) => {
    const found = importIn(node, path, tree)
    if (found !== undefined) imports.push(found)
  })
  return { path, folder: path.split('/')[0] ?? '', tree, imports }
}

/** Calls `each` for `node` and everything below it. */
export function visit(node: ts.Node, each: (node: ts.Node) => void): void {
  each(node)
  ts.forEachChild(node, (child) => visit(child, each))
}

/** 1-based line of a node. */
export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(path) : [path]
    })
}

function importIn(node: ts.Node, path: string, tree: ts.SourceFile): Import | undefined {
  const found = specifierIn(node)
  if (found === undefined) return undefined
  const { specifier, names, how } = found
  const target = specifier.startsWith('.') ? resolve(path, specifier) : undefined
  return { line: lineOf(tree, node), specifier, target, names, how }
}

type Found = Pick<Import, 'specifier' | 'names' | 'how'>

function specifierIn(node: ts.Node): Found | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const clause = node.importClause
    const how = clause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type' : 'value'
    return { specifier: node.moduleSpecifier.text, names: namesOf(clause), how }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, names: [], how: node.isTypeOnly ? 'type' : 'value' }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return { specifier: literalOf(node.arguments[0]), names: [], how: 'lazy' }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return { specifier: literalOf(node.argument.literal), names: [], how: 'type' }
  }
  return undefined
}

/** A specifier that is computed can't be judged; it stands under a name that no rule allows. */
function literalOf(node: ts.Node | undefined): string {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : '<computed>'
}

function namesOf(clause: ts.ImportClause | undefined): string[] {
  const named = clause?.namedBindings
  if (named === undefined || !ts.isNamedImports(named)) return clause?.name || named ? ['*'] : []
  return named.elements.map((element) => (element.propertyName ?? element.name).text)
}

function resolve(from: string, specifier: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.') parts.push(part)
  }
  return parts.join('/').replace(/\.(js|tsx?|json)$/, '')
}
