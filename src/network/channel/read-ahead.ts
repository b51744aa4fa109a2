/**
 * Reads a source without waiting for the reader of the result. So acknowledgements between the items are processed while an item is handled. The
 * number of items in memory must be bounded by other means.
 */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  let ready: T[] = []
  let ended = false
  let failure: unknown
  let wake: (() => void) | undefined
  const pull = async () => {
    for await (const item of source) {
      ready.push(item)
      wake?.()
    }
  }
  pull()
    .catch(error => {
      failure = error ?? new Error('the source failed')
    })
    .finally(() => {
      ended = true
      wake?.()
    })
  for (;;) {
    const batch = ready
    ready = []
    yield* batch
    if (ready.length > 0) continue
    if (ended) break
    await new Promise<void>(resolve => {
      wake = resolve
    })
    wake = undefined
  }
  if (failure !== undefined) throw failure
}
