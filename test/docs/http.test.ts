/** Compares docs/http.md with docs/openapi.yaml. Another test compares docs/openapi.yaml with the code. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'

const read = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8')

test('docs/http.md names every route of docs/openapi.yaml', () => {
  const { paths } = parse(read('openapi.yaml')) as { paths: Record<string, unknown> }
  const named = [...read('http.md').matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(/,? /))
  const routes = Object.keys(paths).map(path =>
    path.replace('{file}', '').replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  )
  expect(routes.length).toBeGreaterThan(8)
  expect(routes.filter(route => !named.includes(route))).toEqual([])
})
