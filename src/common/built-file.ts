import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { P2pWorkerError } from './errors.ts'

/**
 * The first file of a thread or process of this package, such as `tasks/thread/thread-entry.cjs`. It is built
 * JavaScript even if this module runs from TypeScript source (in tests): Node 20 loads no TypeScript.
 *
 * @throws P2pWorkerError when the file was not built
 */
export function builtFile(path: string): string {
  const folders = ['../', '../../dist/'].map(folder => fileURLToPath(new URL(folder + path, import.meta.url)))
  const found = folders.find(existsSync)
  if (found === undefined) throw new P2pWorkerError(`the code ${folders[1]} is missing: run "npm run build"`)
  return found
}
