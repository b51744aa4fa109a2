/** Runs every block of the documents and of the TSDoc that names no scenario of its own. */
import { afterAll, beforeAll, describe, it } from 'vitest'
import { mayMakeHosts } from '../../faults/hosts.ts'
import { allBlocks, placeOf } from './block.ts'
import { blocksFor } from './scenarios.ts'
import { Session } from './session.ts'
import { World } from './world.ts'

const blocks = blocksFor('cluster', allBlocks())
const documents = [...new Set(blocks.map(({ document }) => document))]

describe.skipIf(!mayMakeHosts('the blocks of the documents'))('the blocks of the documents', () => {
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

    it.each(
      blocks.filter(block => block.document === document).map(block => ({ ...block, place: placeOf(block), block }))
    )('$place does what it says', ({ block }) => session.run(block))

    it('and ends as it should', () => session.end())
  })
})
