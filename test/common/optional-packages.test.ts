import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { MissingPackageError } from '../../src/common/errors.ts'
import { requireOptional } from '../../src/common/optional-packages.ts'
import { PACKAGES as POSTGRES } from '../../src/election/stores/postgres.ts'
import { PACKAGES as ZOOKEEPER } from '../../src/election/stores/zookeeper-library.ts'

test('the error for a missing package names the command that installs it', () => {
  const load = () => requireOptional({ 'no-such-package': '^1.0.0' }, 'it needs no-such-package', tmpdir())
  expect(load).toThrow(MissingPackageError)
  expect(load).toThrow(`it needs no-such-package: run \`npm install no-such-package@^1.0.0\` in ${tmpdir()}`)
})

test.each([
  ['PostgreSQL', POSTGRES],
  ['ZooKeeper', ZOOKEEPER]
])('the client of %s is an optional package, in the version that the error names', (_, packages) => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(manifest.peerDependencies).toMatchObject(packages)
  for (const name of Object.keys(packages)) {
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true })
    expect(manifest.dependencies).not.toHaveProperty(name)
  }
})
