/** Checks that every promise of docs/guarantees.md names a test of the promise. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { patches } from '../guarantees/patches.ts'

const root = new URL('../../', import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const rows = textOf('docs/guarantees.md')
  .split('\n')
  .filter(line => line.startsWith('| **'))
  .map(line => {
    const [promise = '', under, end, shown = ''] = line
      .split('|')
      .slice(1, -1)
      .map(cell => cell.trim())
    const tests = [...shown.matchAll(/`(test\/[^`]+)`: \*(.+?)\*(?=; `|$)/g)]
    return { promise, under, end, shown, tests: tests.map(([, path = '', title = '']) => ({ path, title })) }
  })

/** Whether a file has a test with this title. */
function hasTest(path: string, title: string): boolean {
  const literal = title.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return new RegExp(`\\(\\s*(['"\`])${literal}\\1,\\s*(async )?(\\(|\\w+ =>)`).test(textOf(path))
}

test('the last column of each promise contains only the tests of the promise', () => {
  expect(rows.length).toBeGreaterThan(30)
  const named = rows.map(({ tests }) => tests.map(({ path, title }) => `\`${path}\`: *${title}*`).join('; '))
  expect(named).toEqual(rows.map(({ shown }) => shown))
  expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([])
})

const named = rows.flatMap(({ promise, tests }) => tests.map(each => ({ ...each, promise })))

test.each(named)('$path has the test "$title"', ({ path, title }) => {
  expect(existsSync(new URL(path, root)), path).toBe(true)
  expect(hasTest(path, title)).toBe(true)
})

test('each promise has a mutation of the product (npm run test:mutations) that a test of the promise must catch', () => {
  const promised = rows.map(({ promise }) => promise.split('**')[1]!)
  expect([...new Set(patches.map(({ row }) => row))].sort()).toEqual(promised.sort())
  for (const { row, test } of patches)
    expect(
      named.some(each => each.promise.startsWith(`**${row}**`) && isSame(each, test)),
      row
    ).toBe(true)
})

function isSame(a: { path: string; title: string }, b: { path: string; title: string }): boolean {
  return a.path === b.path && a.title === b.title
}

test.each(patches)(
  'the text that the mutation of "$row" replaces occurs exactly once in its source file',
  ({ file, find, replace }) => {
    expect(textOf(file).split(find).length - 1, `${find} in ${file}`).toBe(1)
    expect(replace).not.toBe(find)
  }
)
