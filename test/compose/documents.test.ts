/** Runs the code blocks that need a Docker engine, unchanged from the documents, in a clone of the repository. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { allBlocks, placeOf } from '../docs/blocks/block.ts'
import { blocksFor } from '../docs/blocks/scenarios.ts'
import { Script } from '../docs/blocks/script.ts'
import { makeClone, writeProgram } from '../docs/blocks/world.ts'
import { unless } from '../needs.ts'
import { baseImage } from './base.ts'
import { environmentOf, withoutEngine } from './engine.ts'

const IMAGE = 'p2p-worker-documents'
/** The time within which the image must be built, including its dependencies, in ms. */
const LIMIT_MS = 600_000
const engine = inject('engine')
const blocks = blocksFor('docker', allBlocks())
const documents = [...new Set(blocks.map(({ document }) => document))]

unless(withoutEngine(engine)).describe('the blocks of the documents for a Docker engine', () => {
  const scripts: Script[] = []
  let folder: string
  let env: NodeJS.ProcessEnv
  let clone: string

  const start = (text: string): Script => {
    const script = new Script({ text, wrap: [], cwd: clone, env, terminal: false })
    scripts.push(script)
    return script
  }

  beforeAll(async () => {
    if (typeof engine === 'string') return
    folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const base = await baseImage(engine)
    // A script replaces the docker command. It adds this machine's network and base image, and renames the image so that no image of the user is replaced.
    const options = `--network host ${base === undefined ? '' : `--build-arg BASE=${base}`}`
    writeProgram(
      bin,
      'docker',
      `for word; do shift; [ "$word" != p2p-worker ] || word=${IMAGE}; set -- "$@" "$word"; done
[ "$1" != build ] || { shift; set -- build ${options} "$@"; }
PATH=$REAL_PATH exec docker "$@"`
    )
    writeProgram(bin, 'docker-compose', `PATH=$REAL_PATH exec ${engine.compose.join(' ')} "$@"`)
    const inherited = Object.entries(environmentOf(engine)).filter(([name]) => !/^(P2P_WORKER|COMPOSE)_/.test(name))
    env = {
      ...Object.fromEntries(inherited),
      PATH: `${bin}:${process.env.PATH}`,
      REAL_PATH: process.env.PATH,
      TMPDIR: folder,
      DOCKER_BUILDKIT: '0',
      COMPOSE_PROJECT_NAME: IMAGE,
      P2P_WORKER_IMAGE: IMAGE
    }
  })

  afterAll(async () => {
    if (typeof engine === 'string') return
    await start('docker image rm p2p-worker').ended()
    for (const script of scripts) await script.end()
    rmSync(folder, { recursive: true, force: true })
  })

  describe.each(documents)('%s', document => {
    beforeAll(() => {
      clone = makeClone(join(folder, document.replaceAll('/', '-')))
    })

    // The next document generates its own key.
    afterAll(() => start('docker-compose down --volumes --remove-orphans --timeout 10').ended())

    it.each(blocks.filter(block => block.document === document).map(block => ({ place: placeOf(block), block })))(
      'the block at $place works',
      { timeout: LIMIT_MS },
      async ({ block }) => {
        const script = start(`set -e\n${block.text}`)
        if (block.notes.until !== undefined) {
          await script.until(new RegExp(block.notes.until))
          await script.interrupt()
          return
        }
        expect(await script.ended(LIMIT_MS), `${block.text}\nprinted:\n${script.output}`).toBe(0)
        if (/ run (examples|\/tasks)\//.test(block.text)) expect(script.output).toContain('"verified": true')
      }
    )
  })
})
