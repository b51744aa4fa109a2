/** Finds the optional packages of npm, which only some options need. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { MissingPackageError } from './errors.ts'

/**
 * Returns a `require` that loads these packages: from the folder that p2p-worker is installed in, or otherwise from `folder`. All
 * packages must come from the same folder, because their versions must match. An installation by npx does not contain them.
 *
 * @param missing - what to say before the command that installs the packages
 * @throws MissingPackageError when neither folder contains all packages
 */
export function requireOptional(
  packages: Readonly<Record<string, string>>,
  missing: string,
  folder = process.cwd()
): NodeJS.Require {
  const places = [import.meta.url, join(folder, 'package.json')].map(place => createRequire(place))
  const place = places.find(require => Object.keys(packages).every(name => canResolve(require, name)))
  if (place !== undefined) return place
  const names = Object.entries(packages).map(([name, range]) => `${name}@${range}`)
  throw new MissingPackageError(`${missing}: run \`npm install ${names.join(' ')}\` in ${folder}, or beside p2p-worker`)
}

function canResolve(require: NodeJS.Require, name: string): boolean {
  try {
    require.resolve(name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return false
    throw error
  }
}
