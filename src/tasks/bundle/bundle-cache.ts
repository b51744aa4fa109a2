/** Caches the bundle of a task while the files of the task do not change, so that repeated submissions compile the task only once. */

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { BoundedMap } from '../../lib/bounded-map.ts'
import type { TaskBundle } from './bundle.ts'

/** The inputs of a bundle. */
export interface Ingredients {
  /** The files of the bundle. */
  inputs: readonly string[]
  /** Whether a file imports a name that is neither a path nor a module of Node or of this package. */
  importsByName: boolean
  /** Whether a file tries to load a module that was not found and is no module of Node: the module may exist at the next compilation. */
  mayFindMore: boolean
}

/** The limit of bundles in the cache. */
const MOST = 64
/** The largest bundle that is cached, in bytes. */
const MOST_BYTES = 2 ** 20
/** Timestamps advance in steps: a file that changed less than this time (ms) before its check may change again without a new timestamp. */
const SETTLED_MS = 50
/** Files and folders that determine, in a folder or its ancestors, what an import resolves to. */
const CONFIGS = ['package.json', 'tsconfig.json', 'jsconfig.json', 'node_modules', '.pnp.cjs', '.pnp.data.json']
/** Options by which a tsconfig maps names of imports to files that the cache does not check. */
const NAMES = /"(paths|baseUrl)"/

interface Kept {
  bundle: TaskBundle
  /** The files and folders on which the bundle depends, and a stamp of the state of each of them. */
  stamps: [path: string, stamp: string][]
  missing: Missing[]
}

/** Files that do not exist in a folder, and would change the bundle. */
interface Missing {
  folder: string
  names: string[]
  /** The stamp of the folder when they did not exist. `undefined` if they have to be looked for. */
  stamp: string | undefined
}

export class BundleCache {
  /** Bundles by the task's file, the most recently used last. */
  readonly #kept = new BoundedMap<string, Kept>(MOST)

  /** Returns the bundle of a task's file; undefined if no bundle is cached or an input has changed. */
  get(file: string): TaskBundle | undefined {
    const kept = this.#kept.get(file)
    if (kept === undefined) return undefined
    this.#kept.delete(file)
    try {
      if (kept.stamps.some(([path, stamp]) => stampOf(path) !== stamp) || kept.missing.some(isFound)) return undefined
    } catch {
      // An unreadable input counts as changed. The compiler will report the error.
      return undefined
    }
    this.#kept.set(file, kept)
    return kept.bundle
  }

  /**
   * Adds a bundle, unless the bundle has external packages: the exports of these packages may change while the files of the task do not.
   *
   * @param began - when the compilation began, in ms since the epoch
   */
  put(file: string, bundle: TaskBundle, ingredients: Ingredients, began: number): void {
    if (bundle.external.length > 0 || bundle.code.byteLength > MOST_BYTES || ingredients.mayFindMore) return
    try {
      const found = placesOf(file, ingredients)
      if (found === undefined) return
      const { places, missing } = found
      if ([...places].some(place => changedAt(place) > began - SETTLED_MS)) return
      const stamps = [...places].map((place): [string, string] => [place, stampOf(place)])
      this.#kept.set(file, { bundle, stamps, missing })
    } catch {
      // A task with unreadable inputs is compiled each time.
    }
  }
}

/**
 * All paths whose change may change the bundle: the input files, other files that an import would find before an input file, and
 * configuration files. Undefined: the bundle may also depend on paths that are not known here.
 */
function placesOf(
  task: string,
  { inputs, importsByName }: Ingredients
): { places: Set<string>; missing: Missing[] } | undefined {
  const missing: Missing[] = []
  if (inputs.some(input => changedAt(input) === 0)) return undefined
  const places = new Set<string>(inputs)
  const around = ancestorsOf([dirname(task)])
  for (const input of inputs) {
    // Adds each folder from the input up to the folder of the task: in each of them, a changed link or a new match may redirect an import.
    let folder = dirname(input)
    for (; !around.has(folder); folder = dirname(folder)) places.add(folder)
    places.add(folder)
    // An import that names a folder would first find a file with the name of the folder.
    if (basename(input).startsWith('index.')) places.add(dirname(dirname(input)))
  }
  for (const folder of ancestorsOf(inputs.map(dirname))) {
    const names = CONFIGS.filter(name => changedAt(join(folder, name)) === 0)
    for (const name of CONFIGS) if (!names.includes(name)) places.add(join(folder, name))
    missing.push({ folder, names, stamp: undefined })
    for (const scope of scopesIn(join(folder, 'node_modules'))) places.add(scope)
  }
  const configs = [...places].filter(place => place.endsWith('config.json') && changedAt(place) > 0)
  for (const config of configs) {
    const bases = basesOf(config)
    if (bases === undefined) return undefined
    for (const base of [config, ...bases]) {
      if (importsByName && NAMES.test(readFileSync(base, 'utf8'))) return undefined
      places.add(base)
    }
  }
  return { places, missing }
}

/** Whether one of the files exists now. They are looked for only if the folder has changed: most folders between a task and the root never do. */
function isFound(missing: Missing): boolean {
  const { folder, names } = missing
  const stamp = stampOf(folder)
  if (stamp === missing.stamp) return false
  const isSettled = changedAt(folder) < Date.now() - SETTLED_MS
  if (names.some(name => changedAt(join(folder, name)) > 0)) return true
  missing.stamp = isSettled ? stamp : undefined
  return false
}

/** Folders of scoped packages (`@scope`): a package that is added to or removed from such a folder does not change the timestamp of `node_modules`. */
function scopesIn(folder: string): string[] {
  if (changedAt(folder) === 0) return []
  return readdirSync(folder).flatMap(name => (name.startsWith('@') ? [join(folder, name)] : []))
}

/** Returns these folders and all ancestors of these folders. */
function ancestorsOf(folders: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const folder of folders) for (let at = folder; !all.has(at); at = dirname(at)) all.add(at)
  return all
}

// The calls are synchronous, because a submitted job waits for the stamps, and some dozens of synchronous calls take as long as one asynchronous call.
function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'none' : [stats.mtimeNs, stats.ctimeNs, stats.size, stats.ino, stats.dev].join()
}

/** The time of the last change, in ms since the epoch; 0 if the path does not exist. */
function changedAt(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 0 : Math.max(stats.mtimeMs, stats.ctimeMs)
}

/** The files that a configuration extends. Undefined: one of these files is in a package or does not exist. */
function basesOf(config: string, found = new Set<string>()): Set<string> | undefined {
  const [, named = ''] = /"extends"\s*:\s*(\[[^\]]*\]|"[^"]*")/.exec(readFileSync(config, 'utf8')) ?? []
  for (const [, name = ''] of named.matchAll(/"([^"]*)"/g)) {
    const base = resolve(dirname(config), name.endsWith('.json') ? name : `${name}.json`)
    if (!name.startsWith('.') || changedAt(base) === 0) return undefined
    if (found.has(base)) continue
    found.add(base)
    if (basesOf(base, found) === undefined) return undefined
  }
  return found
}
