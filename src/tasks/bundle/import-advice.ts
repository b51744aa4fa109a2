/** Advice on a module that cannot be bundled: whether `--external` helps, and what it does. */
import { isPackage, packageOf } from '../execute/external-packages.ts'

/** How the plugin marks, in esbuild's messages, the import of a native module. */
export const NATIVE = Symbol('native module')

export interface FailedImport {
  /** What is imported, where an import failed. */
  specifier: string | undefined
  /** The file that imports it, or is itself the problem, with `/`. */
  importer: string
  isNative: boolean
}

/** One sentence or two; undefined where an import has nothing to do with it. */
export function adviceFor({ specifier, importer, isNative }: FailedImport): string | undefined {
  const inside = packageHolding(importer)
  if (inside !== undefined) return `It belongs to the npm package ${inside}. ${leaveOut(inside)}`
  if (isNative) return `Put it into an npm package. ${leaveOut(undefined)}`
  if (specifier === undefined) return undefined
  const name = packageOf(specifier)
  if (isPackage(name))
    return `Install ${name} where the task is (npm install ${name}), or leave that to the peers: ${leaveOut(name)}`
  return 'There is no such file. (--external does not help here: it leaves npm packages out of the bundle, not files.)'
}

/** What `--external` does. */
export function leaveOut(name: string | undefined): string {
  const what = name ?? 'PACKAGE'
  return `--external ${what} leaves it out of the bundle, and each peer that was started with "join --external ${what}" loads its own from the folder where it was started.`
}

/** The npm package that a file is in: the outermost, which is the one that can be found by its name. */
export function packageHolding(file: string): string | undefined {
  return file.split('node_modules/').slice(1).map(packageOf).find(isPackage)
}
