import { afterAll, beforeAll, describe, it } from 'vitest'
import { needs } from '../../needs.ts'
import { allBlocks, placeOf } from './block.ts'
import { blocksFor } from './scenarios.ts'
import { Session } from './session.ts'
import { World } from './world.ts'

/** Which of the four files of tests runs a document: they run side by side, each with a cluster of its own. */
export type Part = 'start' | 'guides' | 'documents' | 'sources'

function partOf(document: string): Part {
  if (document.startsWith('src/')) return 'sources'
  if (/^(README|docs\/getting-started)\.md$/.test(document)) return 'start'
  return /^(CONTRIBUTING|examples|docs\/(tasks|comparison|decisions))/.test(document) ? 'guides' : 'documents'
}

/** Runs every block that names no scenario of its own. */
export function runBlocks(part: Part): void {
  const blocks = blocksFor('cluster', allBlocks()).filter(({ document }) => partOf(document) === part)
  const documents = [...new Set(blocks.map(({ document }) => document))]

  needs('hosts', 'bash', 'curl', 'script').describe(`the blocks of the ${part}`, () => {
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
        '$place does what it says',
        ({ block }) => session.run(block)
      )

      it('and ends as it should', () => session.end())
    })
  })
}
