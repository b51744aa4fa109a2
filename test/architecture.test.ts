import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const src = fileURLToPath(new URL('../src', import.meta.url))

/**
 * The rooms that each room may import. Every room may also import itself, `lib` and `common`. In the table, a room stands below all rooms that may import
 * it. A folder that the table does not name belongs to the room that contains the folder: for example, `network` covers all folders of src/network.
 */
const ROOMS: { readonly [room: string]: string } = {
  lib: '',
  common: '',
  wire: '',
  persistence: '',
  network: '',
  'membership/core': 'membership network',
  membership: 'network membership/core wire',
  'election/core': 'election network',
  'election/quorum': 'election/core network',
  // What the stores need of the election is its public interface, so that a store can come from elsewhere.
  'election/stores': 'election',
  election: 'election/core election/quorum membership membership/core network wire',
  'tasks/define': '',
  'tasks/values': '',
  'tasks/execute': 'tasks/values persistence',
  'tasks/bundle': 'tasks/execute tasks/values',
  'tasks/thread': 'tasks/define tasks/values tasks/execute tasks/bundle',
  'tasks/process': 'tasks/values tasks/execute tasks/thread persistence',
  tasks: 'tasks/values tasks/execute tasks/process',
  'jobs/shared': 'jobs/scheduler jobs/protocol network tasks tasks/execute tasks/values',
  'jobs/scheduler': 'jobs/shared network tasks/execute',
  'jobs/protocol': 'jobs/shared jobs/scheduler jobs/worker membership network tasks tasks/values tasks/execute wire',
  'journal/core': 'election/core network',
  journal:
    'journal/core jobs/protocol jobs/scheduler election election/core membership membership/core network persistence tasks/values tasks/execute wire',
  'jobs/client': 'jobs/shared jobs/protocol jobs/scheduler network tasks/bundle tasks/values',
  'jobs/leader':
    'jobs/shared jobs/protocol jobs/scheduler journal journal/core membership membership/core network tasks tasks/values tasks/execute',
  'jobs/worker':
    'jobs/shared jobs/protocol jobs/scheduler election network persistence tasks tasks/values tasks/execute',
  jobs: 'jobs/shared jobs/protocol jobs/scheduler jobs/client jobs/leader jobs/worker journal journal/core election membership membership/core network tasks tasks/values tasks/execute',
  'locks/core': 'election/quorum journal network',
  locks: 'locks/core election election/quorum jobs/client jobs/protocol journal network wire',
  'schedules/core': 'journal',
  schedules: 'election schedules/core jobs/client jobs/leader jobs/protocol journal membership network wire',
  views: 'jobs/shared membership/core',
  lead: 'election election/quorum locks locks/core membership/core network',
  attach: 'election jobs/client membership membership/core network wire',
  doctor: 'attach membership membership/core network persistence',
  api: 'attach election election/core election/quorum election/stores jobs jobs/shared jobs/client jobs/protocol jobs/scheduler jobs/worker journal lead locks locks/core membership membership/core network persistence schedules schedules/core tasks tasks/bundle tasks/define tasks/execute tasks/values',
  index: 'api election election/stores jobs/shared lead membership/core network tasks/define',
  testing: 'api network views',
  exec: '',
  telemetry: '',
  'http/dashboard': 'jobs/shared membership/core views',
  http: 'api jobs/shared jobs/client persistence tasks/execute tasks/values views',
  cli: 'api doctor election/core election/stores exec http jobs/shared jobs/protocol lead membership/core network persistence tasks/bundle tasks/execute tasks/values telemetry views'
}

const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(path => /\.(c?ts|tsx)$/.test(path))

interface Import {
  name: string
  /** Whether the import contains only types. Such an import does not exist at run time. */
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

/** Returns the room of a file: the longest name in the table with which the path of the file begins. */
function roomOf(file: string): string {
  const rooms = Object.keys(ROOMS).filter(room => file.startsWith(`${room}/`) || file === `${room}.ts`)
  return rooms.sort((a, b) => b.length - a.length)[0] ?? `no room has ${file}`
}

test('every file belongs to a room, and every room has files', () => {
  expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(ROOMS).sort())
})

test('every room imports only the rooms that the table allows', () => {
  const others = files.flatMap(file => {
    const room = roomOf(file)
    const may = [room, ...(room === 'lib' ? [] : ['lib', 'common']), ...(ROOMS[room] ?? '').split(' ')]
    return importsOf(file)
      .filter(({ name }) => files.includes(name) && !may.includes(roomOf(name)))
      .map(({ name }) => `${file} imports ${name}`)
  })
  expect(others).toEqual([])
})

test('other rooms import only the entry file of the scheduler', () => {
  const others = files.filter(file => roomOf(file) !== 'jobs/scheduler')
  const names = others.flatMap(file => importsOf(file).map(({ name }) => name))
  const entered = names.filter(name => name.startsWith('jobs/scheduler/'))
  expect([...new Set(entered)]).toEqual(['jobs/scheduler/index.ts'])
})

test('the scheduler has at most 12 files, each below 400 lines', () => {
  const room = files.filter(file => roomOf(file) === 'jobs/scheduler')
  expect(room.length).toBeLessThanOrEqual(12)
  const long = room.filter(file => readFileSync(join(src, file), 'utf8').split('\n').length > 400)
  expect(long).toEqual([])
})

test('every import that the table allows occurs in some file', () => {
  const used = new Set(files.flatMap(file => importsOf(file).map(({ name }) => `${roomOf(file)} ${roomOf(name)}`)))
  const named = Object.entries(ROOMS).flatMap(([room, may]) => may.split(' ').map(other => `${room} ${other}`))
  expect(named.filter(pair => !pair.endsWith(' ') && !used.has(pair))).toEqual([])
})

test('the imports between rooms, not counting imports of types, have no cycle', () => {
  const below = new Map<string, Set<string>>()
  for (const file of files)
    for (const { name, types } of importsOf(file))
      if (!types && files.includes(name) && roomOf(name) !== roomOf(file))
        below.set(roomOf(file), (below.get(roomOf(file)) ?? new Set()).add(roomOf(name)))
  const open = new Set(Object.keys(ROOMS))
  for (let before = -1; before !== open.size; ) {
    before = open.size
    for (const room of open) if (![...(below.get(room) ?? [])].some(other => open.has(other))) open.delete(room)
  }
  expect([...open]).toEqual([])
})

const isPage = (file: string): boolean => file.startsWith('http/dashboard/')

test('except for types, the dashboard imports only itself, the views and the libraries of its bundle', () => {
  const others = files.filter(isPage).flatMap(file =>
    importsOf(file)
      .filter(({ name, types }) => !types && !(files.includes(name) && (isPage(name) || roomOf(name) === 'views')))
      .map(({ name }) => name)
  )
  expect(new Set(others)).toEqual(new Set(['preact', 'preact/hooks', 'uplot']))
})

test('no other room imports the dashboard, because the dashboard runs only in browsers', () => {
  const importing = files.filter(file => !isPage(file) && importsOf(file).some(({ name }) => isPage(name)))
  expect(importing).toEqual([])
})

test.each([
  'membership/core',
  'election/core',
  'election/quorum',
  'jobs/scheduler',
  'journal/core',
  'locks/core',
  'schedules/core',
  'views'
])('%s and the modules that it imports use no library, Node module, clock, timer or random source', room => {
  const reached = new Set(files.filter(file => roomOf(file) === room))
  for (const file of reached) {
    for (const { name, types } of importsOf(file)) {
      if (types) continue
      expect([file, name]).toEqual([file, expect.stringMatching(/^[\w/-]+\.ts$/)])
      reached.add(name)
    }
    const code = readFileSync(join(src, file), 'utf8').replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, '')
    const impure =
      /\b(?:Date\.now|new Date(?!\((?!\)))|Math\.random|performance|setTimeout|setInterval|setImmediate|process|crypto)\b/
    expect([file, impure.exec(code)?.[0]]).toEqual([file, undefined])
  }
})

test('a folder contains at most 30 files, and src itself contains at most 3 files', () => {
  const folders = files.filter(file => !file.endsWith('.gen.ts')).map(file => dirname(file))
  const full = (folder: string): boolean => folders.filter(other => other === folder).length > (folder === '.' ? 3 : 30)
  expect([...new Set(folders)].filter(full)).toEqual([])
})
