import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const lines = (file: string): string[] => readFileSync(join(root, file), 'utf8').split('\n')

/** What the Dockerfile copies from this repository, and not from another stage. */
const copied = lines('Dockerfile')
  .filter(line => line.startsWith('COPY ') && !line.includes('--from='))
  .flatMap(line => line.split(' ').slice(1, -1))

/** What .dockerignore, which keeps all else out, lets in. */
const letIn = lines('.dockerignore').flatMap(line => (line.startsWith('!') ? [line.slice(1)] : []))

describe('the image', () => {
  it('is built of files that are there, and that .dockerignore lets in', () => {
    expect(lines('.dockerignore')[0]).toBe('*')
    expect(copied.filter(path => !existsSync(join(root, path)))).toEqual([])
    expect(copied.filter(path => !letIn.some(each => path === each || path.startsWith(`${each}/`)))).toEqual([])
  })

  it('has all the scripts that the build loads', () => {
    const imported = (script: string): string[] =>
      [...readFileSync(join(root, 'scripts', script), 'utf8').matchAll(/ from '\.\/(.*)'/g)].flatMap(([, name]) => [
        `scripts/${name}`,
        ...imported(name!)
      ])
    expect(copied).toEqual(expect.arrayContaining(['scripts/build.mjs', ...imported('build.mjs')]))
  })

  it('comes with the text of the licence, which the notices of what is bundled refer to', () => {
    expect(readFileSync(join(root, 'scripts/third-party.mjs'), 'utf8')).toContain('file LICENSE of p2p-worker')
    const last = readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1)!
    expect(last).toMatch(/^COPY LICENSE/m)
  })
})
