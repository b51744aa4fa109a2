import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

interface LogLine {
  level: string
  time: string
  msg: string
  event?: string
  [field: string]: unknown
}

/** The complete lines that a peer has logged so far. */
function linesOf({ stderr }: { stderr: string }): LogLine[] {
  return stderr
    .split('\n')
    .slice(0, -1)
    .filter(line => line.startsWith('{'))
    .map(line => JSON.parse(line) as LogLine)
}

function eventsOf(peer: { stderr: string }, event: string): LogLine[] {
  return linesOf(peer).filter(line => line.event === event)
}

describe('the logs of three peers', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    // Slow probes prevent suspicions on a busy machine.
    cluster = await ProcessCluster.start(3, ['--log-level', 'debug', '--profile', 'wan'])
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('the logs of peers have one format: a level, a time, a message, and the field names of docs/logging.md', () => {
    for (const peer of cluster.peers) {
      // Stderr contains nothing else.
      expect(peer.stderr.split('\n').filter(line => line !== '' && !line.startsWith('{'))).toEqual([])
      for (const line of linesOf(peer)) {
        expect(line).toMatchObject({
          level: expect.stringMatching(/^(error|warn|info|debug)$/),
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          msg: expect.stringMatching(/./)
        })
        for (const name of ['peer', 'job', 'err', 'leader', 'reason']) {
          if (name !== 'reason' || line.event !== 'leader') expect(Object.keys(line)).not.toContain(name)
        }
      }
    }
  })

  it('the logs of peers report joins, members and leaders', () => {
    for (const peer of cluster.peers) {
      expect(eventsOf(peer, 'ready')).toEqual([
        expect.objectContaining({
          level: 'info',
          peerId: peer.id,
          cluster: 'test',
          addresses: peer.addresses,
          slots: 1
        })
      ])
      const others = cluster.peers.filter(other => other !== peer).map(({ id }) => id)
      expect(eventsOf(peer, 'member').map(({ peerId }) => peerId)).toEqual(expect.arrayContaining(others))
      expect(eventsOf(peer, 'leader').at(-1)).toMatchObject({ peerId: peer.leader, epoch: peer.epoch })
    }
  })

  it('the logs of peers contain only debug lines while nothing happens, through many rounds of probes', {
    timeout: 240_000
  }, async () => {
    const marks = cluster.peers.map(peer => linesOf(peer).length)
    const since = (peer: PeerProcess, i: number): LogLine[] => linesOf(peer).slice(marks[i])
    const pings = (peer: PeerProcess, i: number, to: PeerProcess): number =>
      since(peer, i).filter(({ message, peerId }) => message === 'ping' && peerId === to.id).length
    await expect
      .poll(
        () =>
          Math.min(
            ...cluster.peers.flatMap((peer, i) =>
              cluster.peers.filter(other => other !== peer).map(other => pings(peer, i, other))
            )
          ),
        { timeout: 200_000 }
      )
      .toBeGreaterThan(10)
    for (const [i, peer] of cluster.peers.entries())
      expect(since(peer, i).filter(({ level }) => level !== 'debug')).toEqual([])
  })

  it('the logs of peers report the life of a job at its leader, with counts and ms', async () => {
    const input = '{"n":6,"ms":1}'
    const { stdout } = await cluster.run([
      'run',
      'test/cluster/tasks/sleep-sum.ts',
      '--input',
      input,
      '--no-speculate',
      '--json'
    ])
    const { jobId } = JSON.parse(stdout)
    const [leader, ...others] = cluster.byRank()
    await expect
      .poll(() => eventsOf(leader!, 'job').map(({ state }) => state))
      .toEqual(['accepted', 'running', 'completed'])
    const [accepted, , completed] = eventsOf(leader!, 'job')
    expect(accepted).toMatchObject({ level: 'info', jobId, task: 'sleep-sum', epoch: leader!.epoch })
    expect(completed).toMatchObject({
      jobId,
      chunks: 6,
      retries: 0,
      recomputed: 0,
      speculated: 0,
      ms: expect.any(Number)
    })
    expect(others.flatMap(peer => eventsOf(peer, 'job'))).toEqual([])
  })

  it('the logs of peers report the death of the leader, the next leader and the reason, and a peer that leaves', async () => {
    const [leader, next, last] = cluster.byRank()
    await leader!.end('SIGKILL')
    await expect.poll(() => eventsOf(next!, 'leader').at(-1)).toMatchObject({ peerId: next!.id, reason: 'died' })
    expect(eventsOf(next!, 'member')).toContainEqual(
      expect.objectContaining({ peerId: leader!.id, state: 'dead', level: 'info' })
    )
    await last!.end()
    expect(eventsOf(last!, 'leaving')).toHaveLength(1)
    await expect
      .poll(() => eventsOf(next!, 'member').at(-1))
      .toMatchObject({ peerId: last!.id, state: 'left', incarnation: expect.any(Number) })
  })
})

describe('a peer without --json', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.create()
  })

  afterAll(() => cluster.stop())

  const ARGS = ['join', '--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0', '--profile', 'local']

  /** Starts a peer that ends when it leads, and resolves with its stderr. */
  async function stderrOf(args: string[]): Promise<string> {
    const peer = cluster.spawnBare([...ARGS, ...args], cluster.env)
    await peer.until('leads', ({ stderr }) => /leads|"event":"leader"/.test(stderr))
    peer.child.kill('SIGTERM')
    const { code, stderr, stdout } = await peer.ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    return stderr
  }

  it('a peer without --json prints each event once for people, with the time of day', async () => {
    for (const args of [[], ['--log-level', 'info', '--log-format', 'pretty']]) {
      const stderr = await stderrOf(args)
      expect(stderr).toMatch(
        /^\d\d:\d\d:\d\d peer 12D3\w+ \(\w{8}\) of cluster test, \d+ slots?, process \d+\n {9}\/ip4\//
      )
      expect(stderr.match(/leads/g)).toHaveLength(1)
      expect(stderr).toMatch(/^\d\d:\d\d:\d\d this peer leads \(epoch 1\)/m)
      expect(stderr).toMatch(/^\d\d:\d\d:\d\d this peer leaves$/m)
    }
  })

  it('a peer prints the same events as JSON with --json', async () => {
    const stderr = await stderrOf(['--log-format', 'json'])
    const lines = stderr.split('\n').filter(line => line.startsWith('{'))
    expect(lines.map(line => JSON.parse(line).event)).toEqual(expect.arrayContaining(['ready', 'leader', 'leaving']))
  })
})
