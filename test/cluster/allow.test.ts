import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

const TASK = 'test/cluster/tasks/squares.ts'

describe('an allow list', () => {
  let cluster: ProcessCluster
  let list: string
  let peers: PeerProcess[]
  let ids: Record<'a' | 'b' | 'client' | 'watcher', string>

  const folder = (name: string): string => join(cluster.home, `data-${name}`)
  const allow = (...lines: string[]): Promise<void> => writeFile(list, `# who may\n${lines.join('\n')}\n`)
  const everybody = (): string[] => [ids.a, ids.b, `${ids.client} submit`, `${ids.watcher} join`]
  const start = async (name: string): Promise<PeerProcess> => {
    const peer = cluster.join(['--allow', list, '--data-dir', folder(name)])
    await peer.ready()
    return peer
  }
  const says = async (peer: PeerProcess, words: string, since = 0): Promise<void> => {
    await expect.poll(() => peer.stderr.slice(since)).toContain(words)
  }
  const reload = async (peer: PeerProcess, words: string): Promise<void> => {
    const since = peer.stderr.length
    peer.child.kill('SIGHUP')
    await says(peer, words, since)
  }

  beforeAll(async () => {
    cluster = await ProcessCluster.create()
    list = join(cluster.home, 'allow.txt')
    const names = ['a', 'b', 'client', 'watcher'] as const
    const made = await Promise.all(
      names.map(name => cluster.spawnBare(['id', '--data-dir', folder(name)], cluster.env).ended)
    )
    ids = Object.fromEntries(names.map((name, at) => [name, made[at]!.stdout.trim()])) as typeof ids
    await allow(...everybody())
    peers = [await start('a'), await start('b')]
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('peers admit the peers and clients that their allow list names, also several simultaneous clients with the same PeerId', async () => {
    const run = ['run', TASK, '--input', '{"n":3}', '--data-dir', folder('client')]
    const all = await Promise.all([cluster.run(run), cluster.run(run), cluster.run(run)])
    for (const { code, stdout } of all) expect({ code, stdout }).toEqual({ code: 0, stdout: '14\n' })
  })

  it('peers refuse a client that their allow list does not name: the client exits 4 and prints its PeerId', async () => {
    const { code, stderr } = await cluster.run(['status'])
    expect(code).toBe(4)
    expect(stderr).toMatch(/does not have this client, 12D3KooW\w+, on its allow list/)
    const doctor = await cluster.run(['doctor', '--wait', '3s'])
    expect(doctor.code).toBe(4)
    expect(doctor.stdout).toMatch(/its allow list lacks 12D3KooW/)
  })

  it('a client that the allow list names without the right to submit can watch the cluster, but its submission exits 4', async () => {
    const as = ['--data-dir', folder('watcher')]
    expect(await cluster.run(['status', ...as])).toMatchObject({ code: 0 })
    for (const args of [
      ['run', TASK, '--input', '3'],
      ['result', 'some-job'],
      ['cancel', 'some-job']
    ]) {
      const { code, stderr } = await cluster.run([...args, ...as])
      expect(stderr).toContain(`the allow list does not let ${ids.watcher} submit`)
      expect(code).toBe(4)
    }
  })

  it('peers refuse a peer that their allow list does not name: the refused peer continues alone and logs the reason', async () => {
    const stranger = cluster.join()
    await stranger.ready()
    await says(stranger, "it does not have this process's PeerId on its allow list")
    await stranger.end()
  })

  it('a client cannot use the data folder of a peer to get the identity of this peer', async () => {
    const { code, stderr } = await cluster.run(['status', '--data-dir', folder('a')])
    expect(code).toBe(2)
    expect(stderr).toContain(`the data folder ${folder('a')} is a peer's`)
    // In a container a peer and its clients have the same environment variables. The clients must not take the peer's identity.
    const shared = await cluster.run(['status'], { env: { P2P_WORKER_DATA_DIR: folder('a') } })
    expect(shared.stderr).toMatch(/does not have this client, 12D3KooW\w+, on its allow list/)
    expect(shared.stderr).not.toContain(`this client, ${ids.a}`)
    const own = await cluster.run(['status'], { env: { P2P_WORKER_DATA_DIR: folder('client') } })
    expect(own).toMatchObject({ code: 0 })
  })

  it('a peer reloads its allow list on SIGHUP: a peer that is removed is disconnected, and a peer that is added again returns', async () => {
    await allow(ids.a, `${ids.client} submit`)
    await reload(peers[0]!, `SIGHUP: 2 rules in ${list}`)
    await peers[0]!.sees(ids.b, 'dead')
    await allow(...everybody())
    await reload(peers[0]!, `SIGHUP: 4 rules in ${list}`)
    await cluster.settled()
  })

  it('a peer that reloads an allow list with an error keeps the earlier list, and logs the line with the error', async () => {
    await allow(ids.a, 'somebody')
    await reload(peers[0]!, `SIGHUP: everything stays as it was: option '--allow': ${list}:3: "somebody" is no PeerId`)
    const { code } = await cluster.run(['status', '--data-dir', folder('client')])
    expect(code).toBe(0)
    await allow(...everybody())
    await reload(peers[0]!, `SIGHUP: nothing has changed in ${list}`)
    expect(peers[0]!.child.exitCode).toBeNull()
  })

  it('a running client whose line is removed from the allow list is disconnected, exits 4 and prints the reason', {
    timeout: 60_000
  }, async () => {
    const file = join(cluster.home, 'chunks')
    const input = JSON.stringify({ n: 2_000, ms: 100, file })
    const args = ['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input, '--data-dir', folder('client')]
    const run = cluster.spawn(args)
    await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true)
    await allow(ids.a, ids.b)
    for (const peer of peers) await reload(peer, `SIGHUP: 2 rules in ${list}`)
    const { code, stderr } = await run.ended
    expect(stderr).toContain(`does not have this client, ${ids.client}, on its allow list`)
    expect(code).toBe(4)
    await allow(...everybody())
    for (const peer of peers) await reload(peer, `SIGHUP: 4 rules in ${list}`)
  })

  it('a peer warns when its own allow list does not name the peer itself', async () => {
    await allow(ids.b)
    const alone = cluster.join(['--allow', list, '--no-mdns'])
    await alone.ready()
    await says(alone, 'the allow list does not let this peer itself')
    await alone.end()
  })
})

describe('SIGHUP', () => {
  it('a peer without files to reload logs on SIGHUP that it has nothing to reload', async () => {
    const cluster = await ProcessCluster.create()
    try {
      const peer = cluster.join()
      await peer.ready()
      peer.child.kill('SIGHUP')
      await expect.poll(() => peer.stderr).toContain('neither a file of keys nor an allow list')
      expect(await peer.end('SIGTERM')).toEqual({ code: 0, signal: null })
    } finally {
      await cluster.stop()
    }
  })

  it('a peer handles a SIGHUP that arrived before the peer had loaded its files as soon as the peer runs', async () => {
    const cluster = await ProcessCluster.create()
    try {
      // Sends the signal as soon as a listener exists.
      const early = `const { on } = process
        process.on = function (name, ...more) {
          const result = on.call(this, name, ...more)
          if (name === 'SIGHUP') { process.on = on; process.kill(process.pid, name) }
          return result
        }`
      const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(early)}`
      const peer = cluster.join([], { env: { NODE_OPTIONS } })
      await peer.ready()
      await expect.poll(() => peer.stderr).toContain('SIGHUP: there is neither')
      expect(await peer.end('SIGTERM')).toEqual({ code: 0, signal: null })
    } finally {
      await cluster.stop()
    }
  })
})
