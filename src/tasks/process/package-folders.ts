import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The limit of folders, far more than any package and its dependencies need. */
const MOST_FOLDERS = 2_000

/**
 * The folders of an npm package and its dependencies, resolved from the folder `from`; empty if the package is not installed. Tasks may read no
 * other folder in `node_modules`, because links in `node_modules` may lead to any folder.
 */
export function packageFolders(name: string, from: string): string[] {
  const found = new Set<string>()
  const look = (each: string, at: string): void => {
    const folder = folderOf(each, at)
    if (folder === undefined || found.has(folder) || found.size >= MOST_FOLDERS) return
    found.add(folder)
    // Node resolves the dependencies of a package from the real path of the package.
    const real = realpathSync(folder)
    for (const dependency of dependenciesOf(folder)) look(dependency, real)
  }
  look(name, resolve(from))
  return [...found]
}

function folderOf(name: string, from: string): string | undefined {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (manifestOf(folder) !== undefined) return folder
    if (at === dirname(at)) return undefined
  }
}

function manifestOf(folder: string): Record<string, unknown> | undefined {
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return typeof manifest === 'object' && manifest !== null ? (manifest as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function dependenciesOf(folder: string): string[] {
  const manifest = manifestOf(folder) ?? {}
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap(kind => Object.keys(manifest[kind] ?? {}))
}
