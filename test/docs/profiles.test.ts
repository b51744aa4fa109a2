import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'

test('docs/membership.md gives every number of the profiles', () => {
  const text = readFileSync(new URL('../../docs/membership.md', import.meta.url), 'utf8')
  const documented = [...text.matchAll(/^\| `(\w+)` \| (\d+) \| (\d+) \| (\d+) \|/gm)].map(([, name, ...numbers]) => [
    name,
    ...numbers.map(Number)
  ])
  const { local, lan, wan } = profiles
  const names = Object.keys(lan).filter(name => name !== 'name') as Exclude<keyof typeof lan, 'name'>[]
  expect(documented).toEqual(names.map(name => [name, local[name], lan[name], wan[name]]))
})
