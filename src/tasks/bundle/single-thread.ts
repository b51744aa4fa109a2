import type { CallEnd, CallOptions } from '../execute/calls.ts'
import { CodeStore } from '../execute/code-store.ts'
import { ThreadPool } from '../execute/thread-pool.ts'
import type { TaskBundle } from './bundle.ts'

/** Runs one call with a bundle in a new thread. The thread ends after the call. */
export async function inOneThread(
  bundle: Pick<TaskBundle, 'code' | 'sha256' | 'external'>,
  { cwd, lenient, ...options }: Omit<CallOptions, 'transfer'> & { cwd: string; lenient: boolean }
): Promise<CallEnd> {
  const store = new CodeStore()
  const pool = new ThreadPool({ threads: 1, settings: { external: bundle.external, cwd, lenient }, keep: false })
  try {
    await store.put(bundle.sha256, bundle.code)
    const { file } = store.lease(bundle.sha256)
    return await pool.call({ ...options, data: { ...options.data, file } }).ended
  } finally {
    await pool.stop()
    await store.stop()
  }
}
