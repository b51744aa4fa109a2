import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { MissingPackageError } from '../../src/common/errors.ts'
import { requireOptional } from '../../src/common/packages.ts'
import { PACKAGES } from '../../src/election/stores/postgres.ts'

test('the error for a missing package names the command that installs it', () => {
  const load = () => requireOptional({ 'no-such-package': '^1.0.0' }, 'it needs no-such-package', tmpdir())
  expect(load).toThrow(MissingPackageError)
  expect(load).toThrow(`it needs no-such-package: run \`npm install no-such-package@^1.0.0\` in ${tmpdir()}`)
})

test('the client of PostgreSQL is an optional package, in the version that the error names', () => {
  const { peerDependencies, peerDependenciesMeta } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  )
  expect(peerDependencies).toMatchObject(PACKAGES)
  expect(peerDependenciesMeta.pg).toEqual({ optional: true })
})
