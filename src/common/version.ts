import { readFileSync } from 'node:fs'

interface PackageFile {
  version: string
}

/** The version of this package in package.json. */
export const version: string = (
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as PackageFile
).version
