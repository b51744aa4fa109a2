/** What a job waits for on disk, in a peer with a data folder. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { join } from '../../src/api/peer.ts'
import type { Peer } from '../../src/index.ts'
import { DUE } from './suspended-jobs.ts'

const ADDRESS = '/ip4/127.0.0.1/tcp/0'

let folder: string
let peer: Peer

beforeAll(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'p2p-worker-test-'))
  const options = { cluster: 'syncs', insecure: true, mdns: false, profile: 'local', slots: 1 } as const
  peer = await join({ ...options, listen: [ADDRESS], dataDir: folder })
})

afterAll(async () => {
  await peer?.leave()
  await rm(folder, { recursive: true })
})

/** The number of syncs so far. */
const syncs = (): number => peer.stats().dataDir!.syncs.counts.reduce((sum, count) => sum + count, 0)

test('a job of one chunk is told to have ended after two syncs: of its submission, and of its end', async () => {
  const counts: number[] = []
  for (let i = 0; i < 5; i++) {
    const before = syncs()
    await (await peer.submit(DUE, {})).result()
    counts.push(syncs() - before)
  }
  // The first job brings its code, and what the peer notes of itself may be synced meanwhile.
  expect(Math.min(...counts)).toBe(2)
})
