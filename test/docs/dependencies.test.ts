import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface PackageFile {
  license: string
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  peerDependencies: Record<string, string>
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

const own = JSON.parse(read('package.json')) as PackageFile

/** Returns the rows of the table below a heading: each package with its licence. */
function table(heading: string): Map<string, string> {
  const section = read('docs/dependencies.md')
    .split(/^## /m)
    .find(part => part.startsWith(heading))
  if (section === undefined) throw new Error(`docs/dependencies.md has no section "${heading}"`)
  const rows = section.matchAll(/^\| `([^`]+)` \|[^|]+\| ([^|]+) \|/gm)
  return new Map([...rows].map(([, name = '', licence = '']) => [name, licence.trim()]))
}

const kinds = [
  ['At run time', own.dependencies],
  ['To develop', own.devDependencies]
] as const

test.each(kinds)(
  'the table "%s" of docs/dependencies.md names exactly the packages of package.json',
  (heading, dependencies) => {
    expect([...table(heading).keys()].sort()).toEqual(Object.keys(dependencies).sort())
  }
)

test.each(kinds)('the table "%s" of docs/dependencies.md gives the licence of each package', heading => {
  for (const [name, licence] of table(heading)) {
    expect([name, licence]).toEqual([
      name,
      (JSON.parse(read(`node_modules/${name}/package.json`)) as PackageFile).license
    ])
  }
})

const src = new URL('../../src/', import.meta.url)

/** Returns the packages that the selected sources import. */
function importedBy(isOne: (path: string) => boolean): string[] {
  const packages = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path) && isOne(path))
    .flatMap(path => [
      ...readFileSync(new URL(path, src), 'utf8').matchAll(
        /^(?:import|export|\}).* from '([^']+)'|\bimport\('([^']+)'\)|^import '([^']+)'/gm
      )
    ])
    .map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? '')
    .filter(name => !name.startsWith('.') && !name.startsWith('node:'))
    .map(name =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/')
    )
  return [...new Set(packages)].sort()
}

const isBundled = (path: string): boolean => /^(?:cli|http)\//.test(path)

test('the unbundled sources import every package in the dependencies of package.json and no other package', () => {
  // The sources import only types of these packages (test/telemetry) and load the packages on demand.
  const optional = Object.keys(own.peerDependencies)
  const imported = importedBy(path => !isBundled(path)).filter(name => !optional.includes(name))
  expect(imported).toEqual(Object.keys(own.dependencies).sort())
})

test('package.json names every package that the bundles import', () => {
  const known = [...Object.keys(own.dependencies), ...Object.keys(own.devDependencies)]
  expect(importedBy(isBundled).filter(name => !known.includes(name))).toEqual([])
})
