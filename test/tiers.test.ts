import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isBelow, NODE, rowOf, TIER_ROWS, testFiles } from './tiers.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('every test file belongs to a tier', () => {
  expect(testFiles().filter(file => rowOf(file) === undefined)).toEqual([])
})

test('every path of a tier row covers at least one test file of this row', () => {
  const files = testFiles()
  const unused = TIER_ROWS.flatMap(row =>
    row.paths.filter(path => !files.some(file => rowOf(file) === row && isBelow(file, path)))
  )
  expect(unused).toEqual([])
})

test('CONTRIBUTING.md lists all rows of the tiers', () => {
  const contributing = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  const rows = TIER_ROWS.map(({ tier, paths, why }) => {
    const files = paths.map(path => `\`${path}\``).join(', ')
    return `| ${tier} | ${files} | ${why} |`
  })
  expect(contributing).toContain(
    `| tier | below \`test/\` | what, and why there |\n|---|---|---|\n${rows.join('\n')}\n`
  )
})

test('every test that shows a guarantee runs in the gate', () => {
  const guarantees = readFileSync(join(root, 'docs/guarantees.md'), 'utf8')
  const files = [...guarantees.matchAll(/`test\/([^`]+\.test\.ts)`/g)].map(([, file = '']) => file)
  expect(files.length).toBeGreaterThan(30)
  expect(files.filter(file => rowOf(file)?.tier === 'full')).toEqual([])
})

test('the NODE pattern covers every path that the gate runs only on the newest Node', () => {
  const [row, ...others] = TIER_ROWS.filter(({ why }) => why.includes('`NODE`'))
  expect(others).toEqual([])
  expect(row!.paths.filter(path => !NODE.test(path))).toEqual([])
})

test('every property test uses the seed of the run', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const direct = files.filter(
    file =>
      file.endsWith('.ts') &&
      file !== 'properties.ts' &&
      /^import .*'fast-check'/m.test(readFileSync(join(root, 'test', file), 'utf8'))
  )
  expect(direct).toEqual([])
})

test('no property test sets its own seed', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  const seeded = files.filter(
    file =>
      file.endsWith('.test.ts') &&
      /\bnumRuns\b.*\bseed:|\bseed:.*\bnumRuns\b/.test(readFileSync(join(root, 'test', file), 'utf8'))
  )
  expect(seeded).toEqual([])
})
