/** Calls all functions in order, even if a function fails. Throws the first error afterwards. */
export async function stopEach(stops: ReadonlyArray<() => Promise<void>>): Promise<void> {
  const errors: unknown[] = []
  for (const stop of stops) {
    try {
      await stop()
    } catch (error) {
      errors.push(error)
    }
  }
  if (errors.length > 0) throw errors[0]
}
