/** Caches bundles of tasks while their files do not change: repeated submissions compile a task once. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { TaskBundle } from './bundle.ts'

/** The inputs of a bundle. */
export interface Ingredients {
  /** Its files. */
  inputs: readonly string[]
  /** A file imports by a name that is neither a path nor a module of Node or of this package. */
  importsByName: boolean
  /** A file tries to load a module that was not found, and is no module of Node: it may exist the next time. */
  mayFindMore: boolean
}

/** Bundles in the cache at most. */
const MOST = 64
/** Larger bundles are compiled each time. */
const MOST_BYTES = 2 ** 20
/** A file that changed less than this time (ms) before it was checked may change again with the same timestamp: file systems count in steps. */
const SETTLED_MS = 50
/** In a folder or its ancestors, these determine what an import resolves to. */
const CONFIGS = ['package.json', 'tsconfig.json', 'jsconfig.json', 'node_modules', '.pnp.cjs', '.pnp.data.json']
/** With one of these a configuration maps names to files that the cache does not check. */
const NAMES = /"(paths|baseUrl)"/

interface Kept {
  bundle: TaskBundle
  /** The files and folders that were checked, and their state. */
  stamps: [path: string, stamp: string][]
}

export class BundleCache {
  /** By the task's file, the most recently used last. */
  readonly #kept = new Map<string, Kept>()

  /** The bundle of a task's file, unless an input has changed. */
  get(file: string): TaskBundle | undefined {
    const kept = this.#kept.get(file)
    if (kept === undefined) return undefined
    this.#kept.delete(file)
    try {
      if (kept.stamps.some(([path, stamp]) => stampOf(path) !== stamp)) return undefined
    } catch {
      // An unreadable input has changed: the compiler reports the error.
      return undefined
    }
    this.#kept.set(file, kept)
    return kept.bundle
  }

  /**
   * Adds a bundle, unless it has external packages, whose exports may change while the code does not.
   *
   * @param began - when the compilation began, in ms since the epoch
   */
  put(file: string, bundle: TaskBundle, ingredients: Ingredients, began: number): void {
    if (bundle.external.length > 0 || bundle.code.byteLength > MOST_BYTES || ingredients.mayFindMore) return
    try {
      const places = placesOf(file, ingredients)
      if (places === undefined || [...places].some(place => changedAt(place) > began - SETTLED_MS)) return
      const stamps = [...places].map((place): [string, string] => [place, stampOf(place)])
      this.#kept.set(file, { bundle, stamps })
    } catch {
      // A task with unreadable inputs is compiled each time.
      return
    }
    if (this.#kept.size > MOST) this.#kept.delete(this.#kept.keys().next().value!)
  }
}

/**
 * All that may change what comes of these files: they themselves, files beside them or on the way to them that an import would find first, and
 * configurations. Undefined: there may be more.
 */
function placesOf(task: string, { inputs, importsByName }: Ingredients): Set<string> | undefined {
  if (inputs.some(input => changedAt(input) === 0)) return undefined
  const places = new Set<string>(inputs)
  const around = ancestorsOf([dirname(task)])
  for (const input of inputs) {
    // Up to where the task is: links and patterns in an import may lead elsewhere from any of these.
    let folder = dirname(input)
    for (; !around.has(folder); folder = dirname(folder)) places.add(folder)
    places.add(folder)
    // What imports a folder would find a file of its name first.
    if (basename(input).startsWith('index.')) places.add(dirname(dirname(input)))
  }
  for (const folder of ancestorsOf(inputs.map(dirname))) {
    for (const name of CONFIGS) places.add(join(folder, name))
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
  return places
}

/** Folders of packages whose names begin with an @: a package that comes or goes there does not change the folder around. */
function scopesIn(folder: string): string[] {
  if (changedAt(folder) === 0) return []
  return readdirSync(folder).flatMap(name => (name.startsWith('@') ? [join(folder, name)] : []))
}

/** With themselves. */
function ancestorsOf(folders: Iterable<string>): Set<string> {
  const all = new Set<string>()
  for (const folder of folders) for (let at = folder; !all.has(at); at = dirname(at)) all.add(at)
  return all
}

// Not awaited: some dozens of these take as long as one that is, and a job that is submitted waits for them.
function stampOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false })
  return stats === undefined ? 'none' : [stats.mtimeNs, stats.ctimeNs, stats.size, stats.ino, stats.dev].join()
}

/** 0: it is not there. */
function changedAt(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? 0 : Math.max(stats.mtimeMs, stats.ctimeMs)
}

/** The files that a configuration goes on from. Undefined: one of them is in a package, or not there. */
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
