/** Compares each block that describes files with these files. No such block is run. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { allBlocks, placeOf, root } from './block.ts'
import { blocksFor } from './scenarios.ts'

const blocks = blocksFor('described', allBlocks())

/** The tests that run the commands about data folders. */
const OF_FOLDERS = ['test/cluster/backup.test.ts', 'test/cluster/damaged-voter.test.ts']

/** The comparison for the blocks of each document. */
const CHECKS: Record<string, (text: string) => void> = {
  // promtool is optional. monitoring.test.ts runs these commands where promtool is installed.
  'docs/operations.md': text => {
    const run = readFileSync(join(root, 'test/deploy/monitoring.test.ts'), 'utf8')
    for (const line of text.split('\n')) {
      const [, command] = /^p2p-worker (doctor|backup|accept-loss) --data-dir /.exec(line) ?? []
      if (command !== undefined) {
        const cluster = OF_FOLDERS.map(file => readFileSync(join(root, file), 'utf8')).join('\n')
        expect(cluster, line).toMatch(new RegExp(`'${command}',.*'--data-dir'`))
        continue
      }
      const [, what, which, file = ''] = /^promtool (\w+) (\w+) deploy\/prometheus\/([\w.]+)$/.exec(line) ?? []
      expect(run, line).toContain(`['${what}', '${which}', '${file}']`)
    }
  },
  'docs/architecture.md': text => {
    const rows = text.split('\n')
    const rowOf = (room: string): number => rows.findIndex(row => row.split(/[^a-z]+/).includes(room))
    const rooms = foldersOf('src')
    expect(rooms.filter(room => rowOf(room) < 0)).toEqual([])
    const upward = rooms.flatMap(room => {
      const imported = roomsImportedBy(room).filter(other => rowOf(other) < rowOf(room))
      return imported.map(other => `${room} imports ${other}, which stands above it`)
    })
    expect(upward).toEqual([])
  },
  'docs/http.md': text => {
    interface Config {
      scrape_configs: { job_name: string; static_configs: { targets: string[] }[] }[]
    }
    const [job] = (parse(text) as Config).scrape_configs
    const [kept] = (parse(readFileSync(join(root, 'deploy/prometheus/prometheus.yml'), 'utf8')) as Config)
      .scrape_configs
    expect(job?.job_name).toBe(kept?.job_name)
    expect(job?.static_configs[0]?.targets).toEqual(kept?.static_configs[0]?.targets)
  }
}

function foldersOf(path: string): string[] {
  const entries = readdirSync(join(root, path), { withFileTypes: true })
  return entries.filter(entry => entry.isDirectory()).map(({ name }) => name)
}

/** Returns the rooms (folders of src/) from which the files of a room import. */
function roomsImportedBy(room: string): string[] {
  const folder = join(root, 'src', room)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(path => /\.(c?ts|tsx)$/.test(path))
  const names = files.flatMap(file => {
    const imports = readFileSync(join(folder, file), 'utf8').matchAll(/(?:from |import\(|import )'(\.[^']+)'/g)
    return [...imports].map(([, name = '']) => relative(join(root, 'src'), join(folder, dirname(file), name)))
  })
  return [...new Set(names.map(name => name.split(sep)[0]!))]
}

/** Checks that one of the schemas contains every line of a partial schema. */
function checkSchema(text: string): void {
  const lines = (schema: string): string[] =>
    schema
      .split('\n')
      .map(line =>
        line
          .replace(/\/\/.*$/, '')
          .trim()
          .replaceAll(/\s+/g, ' ')
      )
      .filter(line => line !== '' && line !== '…')
  const schemas = readdirSync(join(root, 'src/wire')).filter(name => name.endsWith('.proto'))
  const found = schemas.map(name => {
    const kept = lines(readFileSync(join(root, 'src/wire', name), 'utf8'))
    let at = 0
    // The block must have the lines in the order of the schema, but may leave lines out.
    return lines(text).filter(line => {
      const next = kept.indexOf(line, at)
      if (next >= 0) at = next + 1
      return next < 0
    })
  })
  expect(found.toSorted((a, b) => a.length - b.length)[0]).toEqual([])
}

it.each(blocks.map(block => ({ ...block, place: placeOf(block) })))(
  '$place matches the files that it describes',
  ({ document, language, text }) => {
    const check = language === 'proto' ? checkSchema : CHECKS[document]
    if (check === undefined) throw new Error(`nothing is said of ${document} in test/docs/blocks/described.test.ts`)
    check(text)
  }
)
