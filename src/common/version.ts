import { readFileSync } from 'node:fs'

interface PackageFile {
  version: string
}

/** The version of this package, as package.json has it. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as PackageFile
).version
