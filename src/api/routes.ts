import { DESK_ROUTES, TASK_ROUTES } from './agent-routes.js'
import { ENVELOPE_ROUTES } from './envelope-routes.js'
import { JOB_ROUTES } from './job-routes.js'
import { OFFER_ROUTES } from './offer-routes.js'
import { OWNER_ROUTES } from './owner-routes.js'
import { OWNER_WORK_ROUTES } from './owner-work-routes.js'
import type { Auth, Method, Route } from './route.js'

/**
 * The one route table, as plain data: the source of server, client, auth matrix and tests. It loads nothing but its rows,
 * so that the command line can use it without the schemas (`contract.ts`) or the server. Spec: protocols/socket-api.md.
 */

export type { Auth, Method, Route } from './route.js'

export const ROUTES = {
  ...TASK_ROUTES,
  ...ENVELOPE_ROUTES,
  ...JOB_ROUTES,
  ...OFFER_ROUTES,
  ...DESK_ROUTES,
  ...OWNER_ROUTES,
  ...OWNER_WORK_ROUTES
} as const satisfies Record<string, Route>

export type Routes = typeof ROUTES
export type RouteName = keyof Routes
export const ROUTE_NAMES = Object.keys(ROUTES) as readonly RouteName[]

/** The routes that `A` may call and that answer JSON. */
export type RoutesFor<A extends Auth> = {
  [K in RouteName]: Routes[K] extends { readonly media: string } ? never : Routes[K]['auth'] extends A ? K : never
}[RouteName]

type Names<P extends string> = P extends `${string}:${infer N}/${infer R}`
  ? N | Names<R>
  : P extends `${string}:${infer N}`
    ? N
    : never

/** Path parameters of a route, by name; all are strings. */
export type ParamsOf<K extends RouteName> = { readonly [P in Names<Routes[K]['path']>]: string }

/** The table row of a route, with every member that a row may have. */
export function routeOf(name: RouteName): Route {
  return ROUTES[name]
}

/** Names of the path parameters, in order. */
export function paramNamesOf(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map((match) => match[1] as string)
}

/** Fills a route's path. Throws on a missing or empty parameter: the caller would be broken. */
export function pathOf(name: RouteName, params: Readonly<Record<string, string>> = {}): string {
  return ROUTES[name].path.replace(/:([A-Za-z]+)/g, (_, param: string) => {
    const value = params[param]
    if (value === undefined || value === '') throw new TypeError(`${name} needs the path parameter ${param}`)
    return encodeURIComponent(value)
  })
}

const PATTERNS = ROUTE_NAMES.map((name) => ({
  method: ROUTES[name].method,
  pattern: new RegExp(`^${ROUTES[name].path.replace(/:[A-Za-z]+/g, '[^/]+')}$`)
}))

/** Methods that the table knows for a path; empty when it knows the path not at all. */
export function methodsOn(path: string): Method[] {
  return PATTERNS.filter((row) => row.pattern.test(path)).map((row) => row.method)
}
