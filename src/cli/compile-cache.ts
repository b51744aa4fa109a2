import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Of Node 22.1 and later. */
interface CachingModule {
  enableCompileCache?: (folder: string) => unknown
}

/**
 * Has Node keep the compiled code of what is loaded from now on, where it can: the next command need not compile it. In Node's own folder for that, as other
 * programs do; NODE_DISABLE_COMPILE_CACHE=1 switches it off.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as CachingModule
  if (enableCompileCache === undefined) return
  const folder = join(tmpdir(), 'node-compile-cache')
  if (isTrusted(folder)) enableCompileCache(folder)
}

/** Node runs what it finds there, and the folder for temporary files is everybody's: nobody else may be able to put something into it. */
function isTrusted(folder: string): boolean {
  const self = process.getuid?.()
  // Where there are no such numbers, each user has a folder for temporary files.
  if (self === undefined) return true
  try {
    // Before somebody else does.
    mkdirSync(folder, { mode: 0o755 })
  } catch {
    // It is there, or cannot be.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && [0, self].includes(found.uid) && (found.mode & 0o022) === 0
}
