/** A started resource that must be stopped, even if the benchmark fails. */
export interface Resource {
  stop(): Promise<void>
}

const open = new Set<Resource>()
let interrupted = false

/** Returns whether a signal is ending the benchmark. A resource that starts after the signal would never be stopped. */
export function isInterrupted(): boolean {
  return interrupted
}

/** Runs `use` with a resource, and stops the resource afterwards or when the benchmark is interrupted. */
export async function using<R extends Resource, T>(start: Promise<R>, use: (resource: R) => Promise<T>): Promise<T> {
  const resource = await start
  open.add(resource)
  try {
    if (interrupted) throw new Error('interrupted')
    return await use(resource)
  } finally {
    await resource.stop()
    open.delete(resource)
  }
}

/** Stops all open resources at SIGINT, SIGTERM and SIGHUP. Work that still uses such a resource then fails. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupted = true
      void endAll().then(() => process.exit(130))
    })
  }
}

async function endAll(): Promise<void> {
  // Resources are stopped in the reverse order of their start, so that processes end before their network.
  while (open.size > 0) {
    const last = [...open].at(-1)!
    await last.stop().catch(() => {})
    open.delete(last)
  }
}
