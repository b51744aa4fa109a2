import { setMaxListeners } from 'node:events'

/**
 * A signal that follows two, until it is released. `AbortSignal.any` would leave something at the long-lived ones for
 * each of a million calls.
 */
export function either(
  first: AbortSignal | undefined,
  second: AbortSignal
): { signal: AbortSignal; release: () => void } {
  const controller = new AbortController()
  const sources = first === undefined ? [second] : [first, second]
  const follow = () => controller.abort(sources.find(source => source.aborted)?.reason)
  if (sources.some(source => source.aborted)) follow()
  for (const source of sources) {
    // One job's signal may well have a listener for each of many threads.
    setMaxListeners(0, source)
    source.addEventListener('abort', follow, { once: true })
  }
  const release = () => {
    for (const source of sources) source.removeEventListener('abort', follow)
  }
  return { signal: controller.signal, release }
}
