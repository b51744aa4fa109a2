/** Advice on a module that cannot be bundled: whether `--external` helps, and what that option does. */
import { isPackage, packageOf } from '../execute/external-packages.ts'

/** The `detail` with which the plugin marks the import of a native module in esbuild's messages. */
export const NATIVE = Symbol('native module')

export interface FailedImport {
  /** The specifier of the failed import; undefined if the problem is no import. */
  specifier: string | undefined
  /** The file with the import, or the file that is itself the problem; separated by `/`. */
  importer: string
  isNative: boolean
}

/** One or two sentences of advice; undefined if no import is the cause. */
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

/** A sentence that explains `--external`. */
export function leaveOut(name: string | undefined): string {
  const what = name ?? 'PACKAGE'
  return `--external ${what} leaves it out of the bundle, and each peer that was started with "join --external ${what}" loads its own from the folder where it was started.`
}

/** The npm package that contains a file: the outermost one, which can be found by its name. */
export function packageHolding(file: string): string | undefined {
  return file.split('node_modules/').slice(1).map(packageOf).find(isPackage)
}
