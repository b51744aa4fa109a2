/** Advice on a module that cannot be bundled: whether `--external` helps, and what that option does. */
import { isPackage, packageOf } from '../execute/external-packages.ts'

/** In esbuild's messages, the plugin marks the import of a native module with this value in the field `detail`. */
export const NATIVE = Symbol('native module')

export interface FailedImport {
  /** The specifier of the failed import; undefined if the problem is no import. */
  specifier: string | undefined
  /** The path (with `/`) of the file that contains the import, or of the file that cannot be bundled. */
  importer: string
  isNative: boolean
}

/** Returns one or two sentences of advice. Returns undefined if no import caused the failure. */
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

/** Returns a sentence that explains `--external`. */
export function leaveOut(name: string | undefined): string {
  const what = name ?? 'PACKAGE'
  return `--external ${what} leaves it out of the bundle, and each peer that was started with "join --external ${what}" loads its own from the folder where it was started.`
}

/** The npm package that contains a file. If packages are nested, the outermost package, because Node can find it by its name. */
export function packageHolding(file: string): string | undefined {
  return file.split('node_modules/').slice(1).map(packageOf).find(isPackage)
}
