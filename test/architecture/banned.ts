/** What the pure folders may not touch: the clock, randomness, timers, the process, and the machine's own tables. */
import ts from 'typescript'
import {
  BANNED_GLOBALS,
  BANNED_MEMBERS,
  BANNED_METHODS,
  BANNED_TIMERS,
  type Folder,
  MICROTASK,
  PURE,
  TIMELESS
} from './ladder.js'
import { type Source, lineOf, visit } from './source.js'

/** Mentions of banned names, each as `file:line what`. */
export function impureFaults(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const judge = judgeOf(source.folder as Folder)
    if (judge === undefined) return []
    const faults: string[] = []
    visit(source.tree, (node) => {
      const what = judge(node)
      if (what !== undefined) faults.push(`${source.path}:${lineOf(source.tree, node)} touches ${what}`)
    })
    return faults
  })
}

type Judge = (node: ts.Node) => string | undefined

function judgeOf(folder: Folder): Judge | undefined {
  if (PURE.includes(folder)) {
    const banned = folder === 'flows' ? BANNED_GLOBALS : new Set([...BANNED_GLOBALS, MICROTASK])
    return (node) => globalIn(node, banned) ?? memberIn(node) ?? methodIn(node) ?? dateIn(node)
  }
  if (TIMELESS.includes(folder)) return (node) => globalIn(node, BANNED_TIMERS) ?? memberIn(node) ?? dateIn(node)
  return undefined
}

function globalIn(node: ts.Node, banned: ReadonlySet<string>): string | undefined {
  return ts.isIdentifier(node) && banned.has(node.text) && isMention(node) ? node.text : undefined
}

function memberIn(node: ts.Node): string | undefined {
  if (!ts.isPropertyAccessExpression(node)) return undefined
  const text = `${node.expression.getText()}.${node.name.text}`
  return BANNED_MEMBERS.has(text) ? text : undefined
}

function methodIn(node: ts.Node): string | undefined {
  return ts.isPropertyAccessExpression(node) && BANNED_METHODS.has(node.name.text) ? `.${node.name.text}` : undefined
}

/** `new Date(x)`, `Date.parse` and `Date.UTC` are arithmetic; anything else of `Date` reads the clock. */
function dateIn(node: ts.Node): string | undefined {
  if (!ts.isIdentifier(node) || node.text !== 'Date' || !isMention(node)) return undefined
  const { parent } = node
  if (ts.isNewExpression(parent)) return parent.arguments?.length ? undefined : 'new Date()'
  if (ts.isPropertyAccessExpression(parent)) {
    return ['parse', 'UTC', 'now'].includes(parent.name.text) ? undefined : `Date.${parent.name.text}`
  }
  return ts.isTypeNode(parent) ? undefined : 'Date'
}

/** Whether the identifier is read here, not the name of a member or of something declared. */
function isMention(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node
  if (ts.isQualifiedName(parent)) return parent.right !== node
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false
  if (ts.isPropertyAssignment(parent) || ts.isBindingElement(parent)) return parent.name !== node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  return !(ts.isClassElement(parent) || ts.isTypeElement(parent) || ts.isParameter(parent)) || parent.name !== node
}
