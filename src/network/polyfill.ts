/**
 * `Promise.withResolvers` for Node 20: libp2p 3 calls it. Import this before anything of libp2p. It may go when `engines`
 * in package.json asks for Node 22 or later, where it is built in.
 */
if (!('withResolvers' in Promise)) {
  Object.defineProperty(Promise, 'withResolvers', {
    configurable: true,
    writable: true,
    value: <T>() => {
      let resolve: ((value: T | PromiseLike<T>) => void) | undefined
      let reject: ((reason?: unknown) => void) | undefined
      const promise = new Promise<T>((onResolve, onReject) => {
        resolve = onResolve
        reject = onReject
      })
      return { promise, resolve, reject }
    }
  })
}

export {}
