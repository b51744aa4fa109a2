/** What was started and has to be ended, whatever happens. */
export interface Resource {
  stop(): Promise<void>
}

const open = new Set<Resource>()
let interrupted = false

/** Whether the benchmark is being ended: what is begun now would be left behind. */
export function isInterrupted(): boolean {
  return interrupted
}

/** Runs `use` with a resource, and ends that afterwards, or when the benchmark is interrupted. */
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

/** Ends all that is open as soon as the process is told to end; what is being done with it fails, and ends the rest. */
export function endOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      interrupted = true
      void endAll().then(() => process.exit(130))
    })
  }
}

async function endAll(): Promise<void> {
  // The last opened first: processes before the network that they are in.
  while (open.size > 0) {
    const last = [...open].at(-1)!
    await last.stop().catch(() => {})
    open.delete(last)
  }
}
