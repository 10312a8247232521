import { rowIn } from '../../api/words/known.js'

/** Where the owner is: `#/tasks/ID?status=open` as a path and a query. Nothing of it is sent anywhere. */
export interface Place {
  readonly page: string
  /** What follows the page, decoded. */
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export function placeIn(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const [page = '', ...rest] = path.split('/').map(decoded)
  return { page, rest: rest.filter((part) => part !== ''), query: Object.fromEntries(new URLSearchParams(search)) }
}

/** The address of a place; members of the query without a value are left out. */
export function addressOf(parts: readonly string[], query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '')
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
  return `#/${parts.map(encodeURIComponent).join('/')}${search}`
}

/** The way back to where a page was opened from. */
export interface Up {
  readonly href: string
  readonly text: string
}

/** Pages that lead to things of other pages, by the word for them in an address. */
const FROM: Readonly<Record<string, Up>> = {
  home: { href: '#/', text: 'Home' },
  money: { href: '#/money', text: 'Jobs & money' },
  payments: { href: '#/money/payments', text: 'Payments' }
}

/** The way back that the address names, or else that to the list which the thing belongs to. */
export function upFrom(from: string | undefined, list: Up): Up {
  return (from === undefined ? undefined : rowIn(FROM, from)) ?? list
}

/** What somebody wrote into the address need not be well formed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}
