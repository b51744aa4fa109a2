import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

describe('the priority of a running peer', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
  })

  afterAll(() => cluster?.stop())

  const set = (peer: PeerProcess, priority: string) => cluster.run(['priority', '--peer', peer.id.slice(-8), priority])
  const leaders = (peer: PeerProcess): Array<string | null> =>
    peer.events.flatMap(({ event, peerId }) => (event === 'leader' && peerId !== null ? [peerId] : []))

  it('`p2p-worker priority` moves the leadership once, while a job goes on', async () => {
    const [leader, , last] = cluster.byRank()
    const before = leaders(leader!).length
    const n = 200
    const until = `${cluster.home}/until`
    const input = JSON.stringify({ n, ms: 20, file: `${cluster.home}/chunks`, until })
    const job = cluster.spawn(['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input, '--json'])
    await leader!.until('the job runs', events => events.some(({ state }) => state === 'running'))
    const { code, stdout, stderr } = await set(last!, '5')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(`${last!.id} has the priority 5\n`)
    await Promise.all(cluster.live.map(peer => peer.follows(last!.id)))
    // The job ends only now.
    await writeFile(until, '')
    expect(JSON.parse((await job.ended).stdout)).toMatchObject({ state: 'completed', result: (n * (n - 1)) / 2 })
    expect(leaders(leader!).slice(before)).toEqual([last!.id])
    const { members } = JSON.parse((await cluster.run(['members', '--json'])).stdout)
    expect(members[0]).toMatchObject({ peerId: last!.id, rank: 1, electionPriority: 5 })
  })

  it('a lower priority of the leader gives the leadership back', async () => {
    const [first, , last] = cluster.byRank()
    expect(await set(last!, '-5')).toMatchObject({ code: 0 })
    await Promise.all(cluster.live.map(peer => peer.follows(first!.id)))
  })

  it('`p2p-worker priority` takes a criterion, and refuses an unknown peer and an unknown criterion', async () => {
    const [first] = cluster.byRank()
    const memory = await set(first!, 'memory')
    expect(memory).toMatchObject({ code: 0, stdout: expect.stringMatching(/has the priority \d+ \(memory\)\n$/) })
    const unknown = await cluster.run(['priority', '--peer', 'nobody', '5'])
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no live member.*nobody.*p2p-worker members/)
    })
    expect(await set(first!, 'height')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/height.*slots, memory, age/s)
    })
    expect(await cluster.run(['priority', '5'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('more than one peer, 3,')
    })
  })

  it('`p2p-worker priority` without --peer is of the only peer on this machine', async () => {
    const [first, ...others] = cluster.byRank()
    await Promise.all(others.map(peer => peer.end()))
    expect(await cluster.run(['priority', '7'])).toMatchObject({ code: 0, stdout: `${first!.id} has the priority 7\n` })
  })
})
