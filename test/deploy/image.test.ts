import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lines = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n')

/** The paths that the Dockerfile copies from this repository, and not from another build stage. */
const copied = lines('Dockerfile')
  .filter(line => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap(line => line.split(' ').slice(1, -1))

/** The paths that .dockerignore includes in the build context. All other paths are excluded. */
const letIn = lines('.dockerignore').flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []))

describe('the image', () => {
  it('every file that the Dockerfile copies exists and is included by .dockerignore', () => {
    expect(lines('.dockerignore')[0]).toBe('*')
    expect(copied.filter(path => !existsSync(join(root, path)))).toEqual([])
    expect(copied.filter(path => !letIn.some(each => path === each || path.startsWith(`${each}/`)))).toEqual([])
  })

  it('the Dockerfile copies every script that the build imports', () => {
    const imported = (script: string): string[] =>
      [...readFileSync(join(root, 'scripts', script), 'utf8').matchAll(/ from '\.\/(.*)'/g)].flatMap(([, name]) => [
        `scripts/${name}`,
        ...imported(name!)
      ])
    expect(copied).toEqual(expect.arrayContaining(['scripts/build.mjs', ...imported('build.mjs')]))
  })

  it('the image includes LICENSE, to which the notices of bundled packages refer', () => {
    expect(readFileSync(join(root, 'scripts/third-party.mjs'), 'utf8')).toContain('file LICENSE of p2p-worker')
    const last = readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1)!
    expect(last).toMatch(/^COPY LICENSE/m)
  })
})
