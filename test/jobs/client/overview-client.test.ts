import { expect, it } from 'vitest'
import { NoSuchJobError, P2pWorkerError, UnsupportedByLeaderError } from '../../../src/common/errors.ts'
import type { LeaderSource } from '../../../src/jobs/client/leader-source.ts'
import { OverviewClient } from '../../../src/jobs/client/overview-client.ts'
import type { ChunkPiece } from '../../../src/jobs/protocol/chunk-map-messages.ts'
import type { OverviewMessage } from '../../../src/jobs/protocol/overview-messages.ts'
import type { Channel } from '../../../src/network/types.ts'

type Question = Extract<OverviewMessage, { type: 'request' }>
type Told = OverviewMessage extends infer Message
  ? Message extends { id: number }
    ? Omit<Message, 'id'>
    : never
  : never

/** Makes a client. The test answers the requests in place of the leader. */
function asking(answer: (question: Question) => Told): { client: OverviewClient; questions: Question[] } {
  const questions: Question[] = []
  const channel = {
    remote: 'leader',
    async send(message: OverviewMessage) {
      if (message.type !== 'request') throw new Error('a client only asks')
      questions.push(message)
      queueMicrotask(() => client.onMessage({ id: message.id, ...answer(message) } as OverviewMessage, channel))
    }
  } as unknown as Channel<OverviewMessage>
  const leaderSource: LeaderSource = { leader: () => ({ id: 'leader', epoch: 1 }), subscribe: () => () => {} }
  const client = new OverviewClient({
    leaderSource,
    open: async () => channel
  })
  return { client, questions }
}

function piece(more: Partial<ChunkPiece>): Told {
  const whole = {
    source: 'a',
    version: 7,
    state: 'running',
    whole: true,
    first: 0,
    end: 10,
    peers: [],
    next: undefined
  }
  return { type: 'chunk-map', piece: { ...whole, runs: [], ...more } as ChunkPiece }
}

it('the overview client joins the pieces of a chunk map, and requests later changes with the version of that chunk map', async () => {
  const { client, questions } = asking(({ chunks }) =>
    chunks!.from === 0 ? piece({ runs: [0, 4, 1], next: 4 }) : piece({ version: 9, end: 12, runs: [4, 8, 0] })
  )
  const map = await client.chunkMap('job')
  expect(map).toMatchObject({
    jobId: 'job',
    state: 'running',
    reset: true,
    first: 0,
    end: 12,
    runs: [0, 4, 1, 4, 8, 0]
  })
  await client.chunkMap('job', map.version)
  expect(questions.map(({ chunks }) => [chunks!.source, chunks!.since, chunks!.from])).toEqual([
    ['', 0, 0],
    ['a', 0, 4],
    // The version of the chunk map is the version of its first piece, so that the client misses no change after that piece.
    ['a', 7, 0],
    ['a', 0, 4]
  ])
})

it('the overview client requests a chunk map from the beginning when another leader answers the request for the second piece', async () => {
  let asked = 0
  const { client } = asking(() => {
    asked += 1
    if (asked === 1) return piece({ runs: [0, 4, 1], next: 4 })
    return piece({ source: 'b', runs: [0, 10, 0] })
  })
  expect(await client.chunkMap('job')).toMatchObject({ version: '7:b', runs: [0, 10, 0] })
})

it('the overview client rejects after fewer than 100 requests if the leader never sends the last piece of a chunk map', async () => {
  const { client, questions } = asking(({ chunks }) => piece({ end: 2 ** 20, next: chunks!.from + 1 }))
  await expect(client.chunkMap('job')).rejects.toThrow(P2pWorkerError)
  expect(questions.length).toBeLessThan(100)
})

it('the overview client rejects a request for a chunk map if the leader is too old for chunk maps, or does not know the job', async () => {
  const older = asking(() => ({ type: 'overview', overview: { jobs: [], busy: {} } }))
  await expect(older.client.chunkMap('job')).rejects.toThrow(UnsupportedByLeaderError)
  const newer = asking(() => ({ type: 'unknown', end: undefined }))
  await expect(newer.client.chunkMap('job')).rejects.toThrow(NoSuchJobError)
})
