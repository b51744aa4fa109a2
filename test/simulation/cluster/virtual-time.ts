/**
 * Timers and clocks of Node.js that follow a simulated machine, so that the simulated code sees only virtual time. A step of the world
 * belongs to one process. Everything that the step causes, including promises, runs before the next step begins. A new timer
 * therefore belongs to the process whose step is running.
 */
import { createHash } from 'node:crypto'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Host } from '../world.ts'

/** The prefix of the names that the world uses for these timers. */
const PREFIX = 'js:'

/** The timers of one process. */
export class ProcessTimers {
  readonly #host: Host
  readonly #due = new Map<string, () => void>()
  #count = 0

  constructor(host: Host) {
    this.#host = host
  }

  now(): number {
    return this.#host.now()
  }

  /** Number of timers started so far. */
  get started(): number {
    return this.#count
  }

  start(run: () => void, ms: number): VirtualTimer {
    const name = `${PREFIX}${++this.#count}`
    this.#due.set(name, run)
    this.#host.timer(name, Math.max(0, ms))
    return new VirtualTimer(() => {
      if (this.#due.delete(name)) this.#host.timer(name, undefined)
    })
  }

  /** Fires the timer with this name. Returns false if this process has no such timer. */
  fire(name: string): boolean {
    if (!name.startsWith(PREFIX)) return false
    const run = this.#due.get(name)
    this.#due.delete(name)
    run?.()
    return true
  }
}

/** The return value of `setTimeout` and `setInterval`. */
class VirtualTimer {
  readonly clear: () => void

  constructor(clear: () => void) {
    this.clear = clear
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  now: performance.now.bind(performance),
  abortAfter: AbortSignal.timeout.bind(AbortSignal),
  digest: crypto.subtle.digest.bind(crypto.subtle)
}

const promised = createRequire(import.meta.url)('node:timers/promises') as {
  setTimeout: unknown
  setImmediate: unknown
}
const { setTimeout: realDelay, setImmediate: realTurn } = promised as typeof import('node:timers/promises')

let current: ProcessTimers | undefined

/** Sets the process whose step is running. `undefined` means that no simulated process runs. */
export function enter(timers: ProcessTimers | undefined): void {
  current = timers
}

/** Number of steps between two turns of the real event loop, which reports unhandled rejections and ends tests that hang. */
const TURN_EVERY = 100
let steps = 0

/**
 * Resolves when everything that a step caused has run. Node runs all promises before the next tick. So the first tick runs all promises of the
 * step, and a second tick runs the promises that the first tick caused. A turn of the event loop would cost one system call for each step.
 */
export async function settled(): Promise<void> {
  const timers = current
  if (timers === undefined) return
  await twoTicks()
  steps += 1
  if (steps % TURN_EVERY === 0) await noMoreTicks(timers)
  current = undefined
  if (steps % TURN_EVERY === 0) await turn()
}

async function twoTicks(): Promise<void> {
  for (let i = 0; i < 2; i++) await new Promise<void>(resolve => process.nextTick(resolve))
}

/** Throws an error if a step started timers in deeper nested ticks, because these timers would run in real time. */
async function noMoreTicks(timers: ProcessTimers): Promise<void> {
  const { started } = timers
  await twoTicks()
  if (timers.started !== started) throw new Error('a step of the simulation starts a timer after two ticks')
}

/** Resolves when the event loop has turned, so that unhandled rejections are reported. */
export async function turn(): Promise<void> {
  await new Promise(resolve => real.setImmediate(resolve))
}

/** Calls `run`, and replaces the timers and clocks of Node.js until `run` has ended. */
export async function withVirtualTime<T>(run: () => Promise<T>): Promise<T> {
  const replaced = {
    setTimeout: (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown =>
      current?.start(() => callback(...args), ms) ?? real.setTimeout(callback, ms, ...args),
    clearTimeout: (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.clear()
      else real.clearTimeout(timer as NodeJS.Timeout)
    },
    setInterval: (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): unknown =>
      current === undefined ? real.setInterval(callback, ms, ...args) : every(current, () => callback(...args), ms),
    clearInterval: (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.clear()
      else real.clearInterval(timer as NodeJS.Timeout)
    },
    setImmediate: (callback: (...args: unknown[]) => void, ...args: unknown[]): unknown =>
      current?.start(() => callback(...args), 0) ?? real.setImmediate(callback, ...args),
    // The real function would count a virtual timer among its own, and the event loop would wait for it without end.
    clearImmediate: (timer: unknown): void => {
      if (timer instanceof VirtualTimer) timer.clear()
      else real.clearImmediate(timer as NodeJS.Immediate)
    }
  }
  Object.assign(globalThis, replaced)
  performance.now = () => current?.now() ?? real.now()
  AbortSignal.timeout = ms => {
    if (current === undefined) return real.abortAfter(ms)
    const controller = new AbortController()
    current.start(() => controller.abort(new DOMException('The operation timed out', 'TimeoutError')), ms)
    return controller.signal
  }
  // The real function resolves in real time, when a thread of Node.js has computed the digest.
  crypto.subtle.digest = async (algorithm, data) => {
    if (current === undefined || algorithm !== 'SHA-256') return await real.digest(algorithm, data)
    const { buffer } = new Uint8Array(
      createHash('sha256')
        .update(data as Uint8Array)
        .digest()
    )
    return buffer
  }
  promised.setTimeout = <Value>(ms: number, value: Value, options: { signal?: AbortSignal } = {}): Promise<Value> =>
    current === undefined ? realDelay(ms, value, options) : delay(current, ms, value, options.signal)
  promised.setImmediate = <Value>(value: Value, options: { signal?: AbortSignal } = {}): Promise<Value> =>
    current === undefined ? realTurn(value, options) : delay(current, 0, value, options.signal)
  syncBuiltinESMExports()
  try {
    const result = await run()
    await turn()
    return result
  } finally {
    enter(undefined)
    const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = real
    Object.assign(globalThis, { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate })
    performance.now = real.now
    AbortSignal.timeout = real.abortAfter
    crypto.subtle.digest = real.digest
    Object.assign(promised, { setTimeout: realDelay, setImmediate: realTurn })
    syncBuiltinESMExports()
  }
}

/** Calls `run` every `ms`. */
function every(timers: ProcessTimers, run: () => void, ms: number): VirtualTimer {
  let timer: VirtualTimer
  const again = (): void => {
    timer = timers.start(() => {
      again()
      run()
    }, ms)
  }
  again()
  return new VirtualTimer(() => timer.clear())
}

function delay<Value>(timers: ProcessTimers, ms: number, value: Value, signal?: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer.clear()
      reject(new DOMException('The operation was aborted', 'AbortError'))
    }
    const timer = timers.start(() => {
      signal?.removeEventListener('abort', abort)
      resolve(value)
    }, ms)
    if (signal?.aborted === true) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}
