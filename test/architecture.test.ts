import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

/** From the lowest to the highest. A folder may import itself and what stands before it. */
const LAYERS = [
  'wire',
  'persistence',
  'network',
  'membership',
  'election',
  'tasks',
  'jobs',
  'lead',
  'attach',
  'doctor',
  'composition',
  'testing',
  'exec',
  'telemetry',
  'http',
  'cli'
]
/** Files of `src/` itself that belong to no layer, since every layer may use them. */
const COMMON = [
  'common/built-file.ts',
  'jobs/scheduler/chunk-record.ts',
  'common/clean-environment.ts',
  'lib/deferred.ts',
  'common/errors.ts',
  'lib/core.ts',
  'lib/histogram.ts',
  'common/limits.ts',
  'common/logger.ts',
  'lib/signal-after.ts',
  'tasks/values/tagged-json.ts',
  'common/tracing.ts',
  'common/version.ts'
]

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(path => /\.(c?ts|tsx)$/.test(path))

interface Import {
  name: string
  /** Only types: gone when it runs. */
  types: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(src, file), 'utf8')
  const statements = text.matchAll(/^(?:import|export)\b( type\b)?[^'=();]*? from '([^']+)'/gm)
  const others = text.matchAll(/^import '([^']+)'|\bimport\('([^']+)'\)/gm)
  return [
    ...[...statements].map(([, types, name = '']) => ({ name, types: types !== undefined })),
    ...[...others].map(([, bare, dynamic]) => ({ name: bare ?? dynamic ?? '', types: false }))
  ].map(({ name, types }) => ({
    name: name.startsWith('.') ? relative(src, join(src, dirname(file), name)) : name,
    types
  }))
}

function layerOf(file: string): number {
  const [folder = '', ...rest] = file.split('/')
  return LAYERS.indexOf(rest.length === 0 ? 'composition' : folder)
}

test('every file belongs to a layer', () => {
  expect(files.filter(file => layerOf(file) < 0)).toEqual([])
})

test('no layer imports one above it', () => {
  const upwards = files.flatMap(file =>
    importsOf(file)
      .filter(({ name }) => files.includes(name) && !COMMON.includes(name) && layerOf(name) > layerOf(file))
      .map(({ name }) => `${file} imports ${name}`)
  )
  expect(upwards).toEqual([])
})

const isPage = (file: string): boolean => file.startsWith('http/dashboard/')

test('the dashboard is for browsers: it imports itself, the two libraries that it is bundled with, and of all else types only', () => {
  const others = files.filter(isPage).flatMap(file =>
    importsOf(file)
      .filter(({ name, types }) => !types && !(files.includes(name) && isPage(name)))
      .map(({ name }) => name)
  )
  expect(new Set(others)).toEqual(new Set(['preact', 'preact/hooks', 'uplot']))
})

test('nothing imports the dashboard, which is in no module that Node runs', () => {
  const importing = files.filter(file => !isPage(file) && importsOf(file).some(({ name }) => isPage(name)))
  expect(importing).toEqual([])
})

test.each(['membership/core/swim.ts', 'election/core/bully.ts', 'jobs/scheduler/coordinator.ts'])(
  '%s, and all that it imports, knows no library, no Node module, no clock, no timer and no random source',
  core => {
    expect(importsOf(core).length).toBeGreaterThan(0)
    const reached = new Set([core])
    for (const file of reached) {
      for (const { name, types } of importsOf(file)) {
        if (types) continue
        expect([file, name]).toEqual([file, expect.stringMatching(/^[\w/-]+\.ts$/)])
        reached.add(name)
      }
      const code = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
      const impure =
        /\b(?:Date\.now|new Date|Math\.random|performance|setTimeout|setInterval|setImmediate|process|crypto)\b/
      expect([file, impure.exec(code)?.[0]]).toEqual([file, undefined])
    }
  }
)
