import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

function pages(path: string): Map<string, string> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'))
  return new Map(names.sort().map(name => [name, readFileSync(join(path, name), 'utf8')]))
}

// TypeDoc fails if a public name has no description or a link is broken (typedoc.json).
it('docs/api matches the TSDoc of the sources (if not, run `npm run docs:api`)', () => {
  execFileSync(join(root, 'node_modules/.bin/typedoc'), ['--out', folder, '--logLevel', 'Warn'], { cwd: root })
  const [made, kept] = [pages(folder), pages(join(root, 'docs/api'))]
  expect([...kept.keys()]).toEqual([...made.keys()])
  for (const [name, text] of made) expect(kept.get(name) === text, `docs/api/${name} is stale`).toBe(true)
})

it('docs/api contains no path of the machine that generated it', () => {
  for (const text of pages(join(root, 'docs/api')).values()) expect(text).not.toMatch(/\/(?:home|Users|work|tmp)\//)
})
