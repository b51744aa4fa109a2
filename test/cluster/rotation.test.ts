import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generateClusterKey } from '../../src/network/cluster-key.ts'
import { type PeerProcess, ProcessCluster } from './processes.ts'

let cluster: ProcessCluster
let env: NodeJS.ProcessEnv
let peers: PeerProcess[]
const file = (n: number): string => join(cluster.home, `peer-${n}.key`)
const write = (path: string, ...keys: string[]): Promise<void> =>
  writeFile(path, `${keys.join('\n')}\n`, { mode: 0o600 })

beforeAll(async () => {
  cluster = await ProcessCluster.create()
  env = { P2P_WORKER_KEY: '' }
  const key = cluster.env.P2P_WORKER_KEY!
  peers = []
  for (const n of [0, 1, 2]) {
    await write(file(n), key)
    const peer = cluster.join(['--key-file', file(n)], { env })
    await peer.ready()
    peers.push(peer)
  }
  await cluster.settled()
})

afterAll(() => cluster.stop())

/** Gives all peers these keys, one peer after the other, and waits until each peer has read them. */
async function give(...keys: string[]): Promise<void> {
  for (const [n, peer] of peers.entries()) {
    const since = peer.stderr.length
    await write(file(n), ...keys)
    peer.child.kill('SIGHUP')
    const count = keys.length === 1 ? '1 key' : `${keys.length} keys`
    await expect.poll(() => peer.stderr.slice(since)).toContain(`SIGHUP: ${count} in ${file(n)}, dials with the first`)
  }
}

test('a key is replaced in three steps during a job: no member is lost, and the old key is useless at the end', async () => {
  const old = cluster.env.P2P_WORKER_KEY!
  const until = join(cluster.home, 'until')
  const input = JSON.stringify({ n: 2_000, ms: 100, until })
  const replacing = ['keygen', '--replace', file(0), '--cluster', 'test']
  const next = (await cluster.spawnBare(replacing, cluster.env).ended).stdout.trim()

  await give(old, next)
  // From here on clients may use the new key.
  await write(file(9), next)
  const [leader] = cluster.byRank() as [PeerProcess]
  const running = ['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input, '--key-file', file(9)]
  const job = cluster.spawn(running, { env })
  await leader.until('the job', events => events.some(({ state }) => state === 'running'))
  await give(next, old)
  expect((await cluster.run(['status'])).code).toBe(0)
  await give(next)
  expect((await cluster.run(['status'])).code).toBe(4)
  expect((await cluster.run(['status', '--key-file', file(9)], { env })).code).toBe(0)

  // A newcomer with only the new key meets all peers.
  const newcomer = cluster.join(['--key-file', file(9)], { env })
  await newcomer.ready()
  await Promise.all(peers.map(peer => newcomer.sees(peer.id, 'alive')))
  await newcomer.end()
  for (const peer of peers) {
    const ids = new Set(peers.map(({ id }) => id))
    const lost = peer.events.filter(
      ({ event, peerId, state }) =>
        event === 'member' && ids.has(peerId ?? '') && state !== 'alive' && state !== 'suspect'
    )
    expect(lost).toEqual([])
  }
  await writeFile(until, '')
  expect(await job.ended).toMatchObject({ code: 0, stdout: `${(2_000 * 1_999) / 2}\n` })
})

test('a key file with an error leaves the keys unchanged, and the error text contains no key', async () => {
  const [peer] = peers
  const since = peer!.stderr.length
  const other = generateClusterKey()
  await write(file(0), other.slice(0, 40))
  peer!.child.kill('SIGHUP')
  await expect.poll(() => peer!.stderr.slice(since)).toContain('SIGHUP: everything stays as it was')
  const before = peer!.stderr.length
  await write(file(0), other)
  peer!.child.kill('SIGHUP')
  await expect.poll(() => peer!.stderr.slice(before)).toContain('SIGHUP: everything stays as it was')
  expect(peer!.stderr).toContain('this key is of another cluster')
  expect(peer!.stderr).not.toContain(other.slice(0, 40))
  expect((await cluster.run(['status', '--key-file', file(9)], { env })).code).toBe(0)
})
