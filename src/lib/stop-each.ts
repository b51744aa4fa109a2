/** Stops all, one after the other, also when one of them fails; then throws what failed first. */
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
