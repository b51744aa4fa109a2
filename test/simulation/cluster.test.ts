import { describe, expect, it } from 'vitest'
import { JournalKeeper } from '../../src/jobs/journal/keeper.ts'
import { OfferBook } from '../../src/jobs/offer-book.ts'
import { ReferencedChunks } from '../../src/jobs/referenced-chunks.ts'
import { WorkOnHand } from '../../src/jobs/work-on-hand.ts'
import { Workbench } from '../../src/jobs/workbench.ts'
import { runClusterSeed } from './cluster/worlds.ts'

/** Replays one world with its whole trace: CLUSTER_SEED=17 npx vitest run test/simulation/cluster.test.ts */
const replay = process.env.CLUSTER_SEED
const SEEDS = 600

describe('whole peers that run whole jobs', () => {
  it('end them with the result of one loop, whatever fails', async () => {
    const seeds = replay === undefined ? Array.from({ length: SEEDS }, (_, i) => i + 1) : [Number(replay)]
    for (const seed of seeds) {
      const failure = await runClusterSeed(seed)
      if (failure === undefined) continue
      const trace = replay === undefined ? failure.lines.slice(-60) : failure.lines
      throw new Error(`${failure.error.message}\n\nReplay with CLUSTER_SEED=${seed}:\n${trace.join('\n')}`, {
        cause: failure.error
      })
    }
  }, 600_000)

  it.each([
    [1408, 'a voter that was started again and has nothing to show'],
    [1821, 'a member that does not answer for longer than workers are waited for'],
    [3074, 'two leaders of one epoch, of which each waits for what the other one has'],
    [9525, 'a stream of which all that kept it have died'],
    [21_641, 'two leaders of one epoch, of which one has gone on with a job already']
  ])('survive seed %i: %s', async seed => {
    expect(await runClusterSeed(seed)).toBeUndefined()
  })

  it.each<[string, RegExp, () => () => void]>([
    [
      'workers offer nothing to the next leader',
      /though .* has computed it|runs twice/,
      () => replaced(WorkOnHand.prototype, 'offers', () => [])
    ],
    [
      'what workers offer counts for nothing',
      /though .* has computed it|runs twice/,
      () => replaced(OfferBook.prototype, 'match', (_job, _indices) => ({ chunks: [], refused: [] }))
    ],
    [
      'peers show nothing of what they keep for others',
      /has not ended|only .* has|though .* has computed it|runs twice/,
      () => replaced(JournalKeeper.prototype, 'read', () => [])
    ],
    [
      'peers forget at once what they keep for others',
      /has not ended|only .* has|though .* has computed it|runs twice/,
      () => replaced(JournalKeeper.prototype, 'write', () => true)
    ],
    [
      'workers take what they asked the last leader for as asked of the next one',
      /has not ended/,
      () => replaced(ReferencedChunks.prototype, 'leaderGone', () => {})
    ],
    [
      'a peer that leaves ends nothing that it runs',
      /runs twice/,
      () => replaced(Workbench.prototype, 'leave', async () => {})
    ]
  ])('are seen to fail where %s', async (_, notice, plant) => {
    const restore = plant()
    try {
      for (let seed = 1; seed <= 1_000; seed++) {
        const failure = await runClusterSeed(seed)
        if (failure === undefined) continue
        expect(failure.error.message).toMatch(notice)
        return
      }
    } finally {
      restore()
    }
    expect.unreachable('no seed shows it')
  })
})

/** Puts something in the place of a method; returns what puts it back. */
function replaced<T, K extends keyof T>(prototype: T, method: K, by: T[K]): () => void {
  const original = prototype[method]
  prototype[method] = by
  return () => {
    prototype[method] = original
  }
}
