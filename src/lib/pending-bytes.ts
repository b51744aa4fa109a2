/** Bytes that are filled when they are needed, because reading them takes time and memory. Until then they are zeros. */
import { delay, orAborted } from './abort.ts'

/** The pause after which a fill that failed is tried again, in ms. */
const RETRY_MS = 1_000

/** Fills bytes. Rejects if it cannot. */
type Fill = (bytes: Uint8Array) => Promise<void>

const pending = new WeakMap<Uint8Array, Fill | Promise<void>>()

/** Returns bytes that {@link filled} fills. */
export function pendingBytes(length: number, fill: Fill): Uint8Array {
  const bytes = new Uint8Array(length)
  pending.set(bytes, fill)
  return bytes
}

/** Whether some of these bytes are still to be filled. */
export function arePending(...all: readonly Uint8Array[]): boolean {
  return all.some(bytes => pending.has(bytes))
}

/** Fills bytes that are pending. Returns `undefined` if there are none. Rejects with the error of a fill, which a later call repeats. */
export function filled(...all: readonly Uint8Array[]): Promise<void> | undefined {
  const fills = all.flatMap(bytes => (pending.has(bytes) ? [fillOf(bytes)] : []))
  return fills.length === 0 ? undefined : Promise.all(fills).then(() => {})
}

/** Fills bytes, and tries again as long as that fails. Returns `undefined` if there are none to fill. Rejects if the signal aborts. */
export function filledAtLast(signal: AbortSignal, ...all: readonly Uint8Array[]): Promise<void> | undefined {
  return arePending(...all) ? untilFilled(signal, all) : undefined
}

async function untilFilled(signal: AbortSignal, all: readonly Uint8Array[]): Promise<void> {
  for (let filling = filled(...all); filling !== undefined; filling = filled(...all))
    await orAborted(filling, signal).catch(() => delay(RETRY_MS, signal))
}

function fillOf(bytes: Uint8Array): Promise<void> {
  const fill = pending.get(bytes)!
  if (fill instanceof Promise) return fill
  const filling = fill(bytes).then(
    () => void pending.delete(bytes),
    error => {
      pending.set(bytes, fill)
      throw error
    }
  )
  pending.set(bytes, filling)
  return filling
}
