import { currentScope } from './scope.ts'

type Callback = (error?: Error | null) => void

/**
 * Captures the output of user code, including the output of `console`, and the unhandled errors of user code. Output that belongs
 * to no call is dropped, so that it never mixes into the peer's output.
 */
export function installCapture(): void {
  capture('stdout')
  capture('stderr')
  process.removeAllListeners('warning')
  process.on('warning', warning => currentScope()?.write('stderr', `${warning.name}: ${warning.message}\n`))
  process.on('uncaughtException', error => currentScope()?.unhandled(error))
  process.on('unhandledRejection', reason => currentScope()?.unhandled(reason))
}

function capture(name: 'stdout' | 'stderr'): void {
  const decoder = new TextDecoder()
  process[name].write = (chunk: string | Uint8Array, encoding?: BufferEncoding | Callback, callback?: Callback) => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    currentScope()?.write(name, text)
    const done = typeof encoding === 'function' ? encoding : callback
    if (done !== undefined) queueMicrotask(done)
    return true
  }
}
