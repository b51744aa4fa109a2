import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const document = readFileSync(join(root, 'docs', 'logging.md'), 'utf8')
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(file =>
  file.endsWith('.ts')
)

/** Returns the field names of object literals that a source passes to a logger. Leaves out spread fields, which come from other objects. */
function fieldsOf(source: string): string[] {
  const calls = source.matchAll(/logger\??\s*\.(?:debug|info|warn|error)\(\s*\{([^}]*)\}/g)
  return [...calls].flatMap(([, data = '']) =>
    data
      .split(',')
      .map(field => field.split(':')[0]!.trim())
      .filter(name => /^\w+$/.test(name))
  )
}

it('docs/logging.md names every field of the log', () => {
  const logged = sources.flatMap(file => fieldsOf(readFileSync(join(root, 'src', file), 'utf8')))
  const [, table] = /A field has the same meaning in every entry:\n\n([\s\S]*?)\n\n/.exec(document)!
  const documented = new Set([...table!.matchAll(/`(\w+)`/g)].map(([, name]) => name!))
  expect(logged.length).toBeGreaterThan(40)
  expect([...new Set(logged)].filter(name => !documented.has(name))).toEqual([])
})
