import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { P2pWorkerError } from '../errors.ts'

/**
 * The entry of worker threads. It is built JavaScript also where this module runs from its TypeScript source (the tests):
 * Node 20 loads no TypeScript.
 *
 * @throws P2pWorkerError when it was not built
 */
export function threadFile(): string {
  const beside = fileURLToPath(new URL('./thread.js', import.meta.url))
  if (existsSync(beside)) return beside
  const built = fileURLToPath(new URL('../../dist/tasks/thread.js', import.meta.url))
  if (existsSync(built)) return built
  throw new P2pWorkerError(`the thread's code ${built} is missing: run "npm run build"`)
}
