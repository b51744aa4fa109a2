import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The part of Node's `module` that exists from Node 22.1 on. */
interface CachingModule {
  enableCompileCache?: (folder: string) => unknown
}

/**
 * Makes Node cache the compiled code of all modules that load after this call, so that the next command starts faster.
 * The cache is in the default folder of Node, which other programs share. NODE_DISABLE_COMPILE_CACHE=1 switches the
 * cache off.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache } = module as CachingModule
  if (enableCompileCache === undefined) return
  const folder = join(tmpdir(), 'node-compile-cache')
  if (isTrusted(folder)) enableCompileCache(folder)
}

/**
 * Whether only this user or root can write to the folder. The check is necessary because Node runs the cached code, and
 * every user may write to the temporary folder of the system.
 */
function isTrusted(folder: string): boolean {
  const self = process.getuid?.()
  // Windows has no numeric user ids. On Windows, each user has a separate temporary folder.
  if (self === undefined) return true
  try {
    // If another user creates the folder first, that user owns the folder.
    mkdirSync(folder, { mode: 0o755 })
  } catch {
    // The folder exists already or cannot be created: the check below decides.
  }
  const found = lstatSync(folder, { throwIfNoEntry: false })
  return found?.isDirectory() === true && [0, self].includes(found.uid) && (found.mode & 0o022) === 0
}
