/**
 * What libp2p expects of the platform and Node 20 lacks. Imported first by every file that imports libp2p: 18 packages
 * of its family call `Promise.withResolvers` while they load or start.
 */

interface Resolvers {
  readonly promise: Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason?: unknown) => void
}

function withResolvers(this: PromiseConstructor): Resolvers {
  let resolve!: (value: unknown) => void
  let reject!: (reason?: unknown) => void
  const promise = new this<unknown>((good, bad) => {
    resolve = good
    reject = bad
  })
  return { promise, resolve, reject }
}

if (!('withResolvers' in Promise)) {
  Object.defineProperty(Promise, 'withResolvers', { configurable: true, writable: true, value: withResolvers })
}
