import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bareEnvironment, cli, mainFile } from './process.ts'

const folder = dirname(mainFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

let home: string
let loaded: string

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  loaded = join(home, 'loaded')
  await writeFile(
    join(home, 'hooks.mjs'),
    `import { appendFileSync } from 'node:fs'
export const load = (url, context, next) => (appendFileSync(${JSON.stringify(loaded)}, url + '\\n'), next(url, context))`
  )
  // Node 26 warns about `register`, but Node 20 has no other function for this purpose.
  await writeFile(
    join(home, 'register.mjs'),
    `import module from 'node:module'
import { load } from './hooks.mjs'
if (module.registerHooks) module.registerHooks({ load })
else module.register('./hooks.mjs', import.meta.url)`
  )
})

afterAll(() => rm(home, { recursive: true, force: true }))

/** The report of esbuild: the source files in each file of the bundle. */
const { outputs } = JSON.parse(await readFile(join(root, 'node_modules/.p2p-worker-cli.json'), 'utf8')) as {
  outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>
}

/** The npm packages whose code is in a file of the bundle. */
function packagesIn(file: string): string[] {
  const inputs = Object.entries(outputs[relative(root, file)]?.inputs ?? {})
  return inputs.flatMap(([path, { bytesInOutput }]) => {
    const [, name] = /^.*?\bnode_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? []
    return name === undefined || bytesInOutput === 0 ? [] : [name]
  })
}

/** Lists the npm packages and counts the files of the bundle that a command loads. */
async function loadedBy(args: string[]): Promise<{ packages: string[]; files: number }> {
  await rm(loaded, { force: true })
  const { code, stderr } = await cli(
    args,
    bareEnvironment(home, { NODE_OPTIONS: `--import ${pathToFileURL(join(home, 'register.mjs'))}` })
  )
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const urls = (await readFile(loaded, 'utf8')).split('\n').filter(url => url.startsWith('file:'))
  const files = [...new Set(urls.map(url => fileURLToPath(url)))]
  const outside = files.filter(file => dirname(file) !== folder)
  const packages = files.flatMap(packagesIn)
  return { packages: [...new Set([...packages, ...outside])].sort(), files: files.length }
}

describe('the bundle of the command line', () => {
  it.each([
    [['--help']],
    [['--version']],
    [['join', '--help']],
    [['lead', '--help']],
    [['run', '--help']],
    [['map', '--help']],
    [['status', '--help']],
    [['help', 'demo']]
  ])('%s loads the parser of options and no other library', async args => {
    const { packages, files } = await loadedBy(args)
    expect(packages).toEqual(['commander'])
    // Node finds, reads and links each file, so each file costs time.
    expect(files).toBeLessThan(25)
  })

  it('the bundle contains libp2p, for the commands that need it', async () => {
    const home2 = await mkdtemp(join(home, 'data-'))
    expect((await loadedBy(['id', '--data-dir', join(home2, 'peer')])).packages).toContain('@libp2p/crypto')
  })

  it('the bundle contains the licence of each package whose code it contains', async () => {
    const files = (await readdir(folder)).filter(file => file.endsWith('.js'))
    const names = new Set(files.flatMap(file => packagesIn(join(folder, file))))
    expect(names.size).toBeGreaterThan(50)
    const notices = await readFile(join(folder, 'THIRD-PARTY.txt'), 'utf8')
    for (const name of names) {
      const text = await readFile(join(root, 'node_modules', name, 'package.json'), 'utf8')
      const own = JSON.parse(text) as { name: string; version: string; license: string }
      expect(notices).toContain(`\n${own.name} ${own.version}\nLicence: ${own.license}\n`)
    }
  })

  it('the bundle leaves out packages that read their own files, and optional packages', async () => {
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      peerDependencies: Record<string, string>
    }
    const files = (await readdir(folder)).filter(file => file.endsWith('.js'))
    const names = new Set(files.flatMap(file => packagesIn(join(folder, file))))
    for (const name of ['esbuild', 'piscina', ...Object.keys(manifest.peerDependencies)]) {
      expect([...names]).not.toContain(name)
    }
  })

  it('the bundle has one executable entry file', async () => {
    expect((await readFile(mainFile, 'utf8')).split('\n')[0]).toBe('#!/usr/bin/env node')
    expect(basename(mainFile)).toBe('main.js')
  })
})
