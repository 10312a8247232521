/** What two entries of `filesAndInterfaces` name, and whether they meet. Source: protocols/envelopes.md, "Ownership". */

/** Segments of a path in normal form; none stands for the whole context. */
export type NormalPath = readonly string[]

export type PathFault = 'glob' | 'outside' | 'invalid'

const GLOB = /[*?[\]]|\{[^{}]*,[^{}]*\}/u
/** A control character in a path hides what is owned. */
const CONTROL = /[\u0000-\u001f\u007f]/u

/**
 * The normal form of an entry: separators are slashes, `.` and empty segments go, `..` takes one back, and letters lose
 * their case, because two names that differ in it alone are one file on many disks. Answers what is wrong otherwise.
 */
export function normalPath(entry: string): NormalPath | PathFault {
  if (entry.trim() === '' || CONTROL.test(entry)) return 'invalid'
  if (GLOB.test(entry)) return 'glob'
  const path: string[] = []
  for (const segment of folded(entry).replaceAll('\\', '/').split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') path.push(segment)
    else if (path.pop() === undefined) return 'outside'
  }
  return path
}

/** Whether an entry has a normal form. */
export function isPath(form: NormalPath | PathFault): form is NormalPath {
  return typeof form !== 'string'
}

/** Whether the two name a common thing: they are one, or one is a folder that holds the other. */
export function overlap(a: NormalPath, b: NormalPath): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  return short.every((segment, at) => segment === long[at])
}

/** Whether any of `wanted` meets any of `owned`. */
export function anyOverlap(wanted: readonly NormalPath[], owned: readonly NormalPath[]): boolean {
  return wanted.some((one) => owned.some((other) => overlap(one, other)))
}

/** Those of the entries, as they are written, that meet any of the others. */
export function entriesMeeting(entries: readonly string[], others: readonly string[]): string[] {
  const owned = others.map(normalPath).filter(isPath)
  return entries.filter((entry) => {
    const form = normalPath(entry)
    return isPath(form) && anyOverlap([form], owned)
  })
}

/** The normal forms of a checked contract's entries, each once. */
export function ownedBy(filesAndInterfaces: readonly string[]): NormalPath[] {
  const forms = new Map<string, NormalPath>()
  for (const entry of filesAndInterfaces) {
    const form = normalPath(entry)
    if (!isPath(form)) throw new Error('an entry of a checked contract has a normal form')
    forms.set(form.join('/'), form)
  }
  return [...forms.values()]
}

/** NFC again after folding: some letters come apart when they lose their case. */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().normalize('NFC')
}
