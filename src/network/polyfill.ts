/**
 * `Promise.withResolvers` for Node 20: libp2p 3 calls this function. Import this file before libp2p. Remove it when `engines`
 * in package.json asks for Node 22 or later, where the function is built in.
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
