import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ISOLATION_ROWS } from '../../src/tasks/process/isolation-table.ts'

test('docs/security.md contains every row of ISOLATION_ROWS', () => {
  const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8')
  const table = text.slice(text.indexOf('| What a task may try |'))
  const lines = table.slice(0, table.indexOf('\n\n')).split('\n').slice(2)
  expect(lines).toEqual(ISOLATION_ROWS.map(({ what, how, where }) => `| ${what} | ${how} | ${where} |`))
})
