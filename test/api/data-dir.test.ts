import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { generateClusterKey, InvalidOptionError, join, replacementKey } from '../../src/index.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(joinPath(tmpdir(), 'p2p-worker-test-'))
})

afterEach(() => rm(dataDir, { recursive: true }))

/** Starts a peer of the cluster `default` in the folder, stops it, and returns its PeerId. */
async function once(key: string | string[]): Promise<string> {
  const peer = await join({ key, dataDir, mdns: false, listen: ['/ip4/127.0.0.1/tcp/0'], profile: 'local' })
  await peer.leave()
  return peer.id
}

it('a peer refuses the folder of a cluster with the same name and another key, and takes it with a key that replaced the first', async () => {
  const key = generateClusterKey()
  const id = await once(key)
  await expect(once(generateClusterKey())).rejects.toThrow(InvalidOptionError)
  const next = replacementKey('default', key)
  expect([await once([key, next]), await once(next)]).toEqual([id, id])
  await expect(once(generateClusterKey())).rejects.toThrow(InvalidOptionError)
})
