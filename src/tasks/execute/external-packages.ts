import { InvalidOptionError } from '../../common/errors.ts'

/** The key of the global function that loads external packages in a thread (thread/external.ts). */
export const REQUIRE_SYMBOL = 'p2p-worker.require'

// Matches a valid npm name. Names of old packages may contain capitals.
const PACKAGE = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i

/** The npm package that an import specifier names, e.g. `@scope/name` for `@scope/name/file.js`. */
export function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] as string)
}

export const isPackage = (name: string): boolean => PACKAGE.test(name)

/**
 * Sorts the names of npm packages and removes duplicates.
 *
 * @throws InvalidOptionError that names the first invalid name
 */
export function checkedPackages(names: readonly string[]): string[] {
  for (const name of names) {
    if (!isPackage(name))
      throw new InvalidOptionError(`--external takes names of npm packages, and "${name}" is not one`)
  }
  return [...new Set(names)].sort()
}
