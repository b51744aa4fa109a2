import { afterAll, beforeAll, describe, it } from 'vitest'
import { needs } from '../../needs.ts'
import { allBlocks, placeOf } from './block.ts'
import { blocksFor } from './scenarios.ts'
import { Session } from './session.ts'
import { World } from './world.ts'

/** The name of the test file that runs a document. The four test files run in parallel, each with its own cluster. */
export type Part = 'start' | 'guides' | 'documents' | 'sources'

function partOf(document: string): Part {
  if (document.startsWith('src/')) return 'sources'
  if (/^(README|docs\/getting-started)\.md$/.test(document)) return 'start'
  return /^(CONTRIBUTING|examples|docs\/(tasks|comparison|decisions))/.test(document) ? 'guides' : 'documents'
}

/** Runs every block of a part, except blocks whose note names another scenario. */
export function runBlocks(part: Part): void {
  const blocks = blocksFor('cluster', allBlocks()).filter(({ document }) => partOf(document) === part)
  const documents = [...new Set(blocks.map(({ document }) => document))]

  needs('hosts', 'bash', 'curl', 'etcd', 'script').describe(`the blocks of the ${part}`, () => {
    let world: World

    beforeAll(async () => {
      world = await World.create()
      await world.startCluster()
    })

    afterAll(() => world?.stop())

    describe.each(documents)('%s', document => {
      let session: Session

      beforeAll(() => {
        session = new Session(world, blocks)
      })

      it.each(blocks.filter(block => block.document === document).map(block => ({ place: placeOf(block), block })))(
        'the block at $place works',
        ({ block }) => session.run(block)
      )

      it('all commands of the document end with code 0 or 130 after Ctrl-C', () => session.end())
    })
  })
}
