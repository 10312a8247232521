import { ROUTE_NAMES, type RouteName, routeOf } from '../../src/api/routes.js'

/** The route that a request is for, by its method and the path without its query. */
export function routeAt(method: string, path: string): RouteName | undefined {
  return ROUTE_NAMES.find((name) => routeOf(name).method === method && patternOf(name).test(path))
}

function patternOf(name: RouteName): RegExp {
  return new RegExp(`^${routeOf(name).path.replace(/:[A-Za-z]+/g, '[^/]+')}$`)
}
