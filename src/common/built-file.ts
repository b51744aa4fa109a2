import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { P2pWorkerError } from './errors.ts'

/**
 * Returns the entry file of a thread or process of this package, such as `tasks/thread/thread-entry.cjs`. The file is built
 * JavaScript even if this module runs from TypeScript source (in tests), because Node 20 cannot load TypeScript.
 *
 * @throws P2pWorkerError if the file has not been built
 */
export function builtFile(path: string): string {
  const folders = ['../', '../../dist/'].map(folder => fileURLToPath(new URL(folder + path, import.meta.url)))
  const found = folders.find(existsSync)
  if (found === undefined) throw new P2pWorkerError(`the code ${folders[1]} is missing: run "npm run build"`)
  return found
}
