import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { root } from '../cluster/processes.ts'
import { unless } from '../needs.ts'
import { baseImage } from './base.ts'
import { buildImage, ComposeCluster, type Container } from './cluster.ts'
import { withoutEngine } from './engine.ts'

const IMAGE = 'p2p-worker-test'
const engine = inject('engine')

/** Arguments of a job whose chunks sleep for 50 ms until the containers have the file `until`, so that a test decides when the job ends. */
const tasks = `${root}/test/cluster/tasks:/tasks:ro`
const sleepSum = (n: number, until: string): string[] => {
  return ['run', '/tasks/sleep-sum.ts', '--input', JSON.stringify({ n, ms: 50, until }), '--json']
}
const sumBelow = (n: number): number => (n * (n - 1)) / 2

unless(withoutEngine(engine)).describe('docker-compose.yml on a real engine', () => {
  let cluster: ComposeCluster
  let volumesBefore: string[]

  beforeAll(async () => {
    if (typeof engine === 'string') return
    await buildImage(engine, IMAGE, await baseImage(engine))
    cluster = new ComposeCluster(engine, 'p2p-worker-test', { P2P_WORKER_IMAGE: IMAGE })
    volumesBefore = await cluster.volumes()
  })

  afterAll(async () => {
    if (typeof engine === 'string') return
    await cluster?.down()
    await cluster?.docker(['image', 'rm', IMAGE])
  })

  const peerIds = async (containers: Container[]): Promise<Map<string, string>> => {
    const { members } = await cluster.settled()
    return new Map(
      containers.map(({ id, ip }) => [
        id,
        members.find(({ addresses }) => addresses.some(address => address.includes(`/ip4/${ip}/`)))!.peerId
      ])
    )
  }

  it('without a key the cluster does not start, and the error says where to put the key', async () => {
    const { code, stderr } = await cluster.compose(['up', '--detach'], { P2P_WORKER_KEY: '' })
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/the cluster needs a key\. Put one into \.env/)
    expect(await cluster.containers()).toEqual([])
  })

  it('one command starts the cluster and returns a verified result', async () => {
    const { code, stdout } = await cluster.cli(['run', 'examples/nas-ep.ts', '--json'], { deps: true })
    expect({ code, verified: JSON.parse(stdout).result.verified }).toEqual({ code: 0, verified: true })
  })

  it('the four peers see each other and follow the highest id', async () => {
    const { members, leader } = await cluster.settled()
    const ids = members.map(({ peerId }) => peerId)
    expect(ids).toHaveLength(4)
    expect(leader).toBe(ids.toSorted().at(-1))
  })

  it('no peer runs as root', async () => {
    const users = await Promise.all(
      (await cluster.running()).map(async ({ id }) => (await cluster.docker(['exec', id, 'id', '-u'])).stdout.trim())
    )
    expect(users).toEqual(Array(4).fill('10001'))
  })

  it('a job returns the exact result when the container of the leader is killed', async () => {
    const leader = await cluster.leader()
    const { epoch } = await cluster.settled()
    const others = (await cluster.running()).filter(({ id }) => id !== leader.id)
    let ended = false
    const job = cluster.cli(sleepSum(1000, '/tmp/killed'), { volume: tasks }).finally(() => {
      ended = true
    })
    await cluster.jobAt(20)
    const killedAt = Date.now()
    await cluster.docker(['kill', leader.id])
    await cluster.nextLeader(others, killedAt, epoch)
    expect(ended).toBe(false)
    await cluster.touch('/tmp/killed')
    const { code, stdout } = await job
    expect({ code, result: JSON.parse(stdout).result }).toEqual({ code: 0, result: sumBelow(1000) })
    const { members } = await cluster.settled()
    expect(members.filter(({ state }) => state === 'dead')).toHaveLength(1)
    await cluster.docker(['start', leader.id])
    expect((await cluster.settled()).members.filter(({ state }) => state === 'alive')).toHaveLength(4)
  })

  it('a job returns the exact result when a container is disconnected, and the peer of that container rejoins the cluster afterwards', async () => {
    const containers = await cluster.running()
    const leader = await cluster.leader()
    const victim = containers.find(({ id, service }) => id !== leader.id && service === 'worker')!
    const id = (await peerIds(containers)).get(victim.id)!
    const network = `${cluster.project}_default`
    const job = cluster.cli(sleepSum(1000, '/tmp/cut'), { volume: tasks })
    await cluster.jobAt(20)
    await cluster.docker(['network', 'disconnect', network, victim.id])
    await cluster.until(
      'the peer that was cut off is dead',
      ({ members }) => members.some(({ peerId, state }) => peerId === id && state === 'dead'),
      leader
    )
    await cluster.docker(['network', 'connect', network, victim.id])
    await cluster.touch('/tmp/cut')
    const { code, stdout } = await job
    const { result, stats } = JSON.parse(stdout)
    expect({ code, result }).toEqual({ code: 0, result: sumBelow(1000) })
    expect(stats.retries).toBeGreaterThan(0)
    const { members } = await cluster.settled()
    expect(members.filter(({ state }) => state === 'alive')).toHaveLength(4)
    // The engine may have assigned a new address to the container.
    const { ip } = (await cluster.running()).find(container => container.id === victim.id)!
    const status = await cluster.until('the new address', ({ members }) =>
      members.some(({ peerId, addresses }) => peerId === id && addresses.some(text => text.includes(`/ip4/${ip}/`)))
    )
    expect(status.members.some(({ peerId }) => peerId === id)).toBe(true)
  })

  it('a job returns the exact result while the cluster is scaled from 4 to 6 and then to 3 containers', async () => {
    const scale = (workers: number) => cluster.compose(['up', '--detach', '--scale', `worker=${workers}`])
    let ended = false
    const job = cluster.cli(sleepSum(5000, '/tmp/scaled'), { volume: tasks }).finally(() => {
      ended = true
    })
    await cluster.jobAt(20)
    expect((await scale(5)).code).toBe(0)
    await cluster.until('six peers', ({ members }) => members.filter(({ state }) => state === 'alive').length === 6)
    expect((await scale(2)).code).toBe(0)
    expect(ended).toBe(false)
    await cluster.touch('/tmp/scaled')
    const { code, stdout } = await job
    expect({ code, result: JSON.parse(stdout).result }).toEqual({ code: 0, result: sumBelow(5000) })
    const { members } = await cluster.settled()
    expect(members.filter(({ state }) => state === 'alive')).toHaveLength(3)
    // On `docker stop` a peer announces that it leaves, so the members report the peer as `left` and not as `dead`.
    expect(members.filter(({ state }) => state === 'left')).toHaveLength(3)
    expect(members.filter(({ state }) => state === 'dead')).toHaveLength(0)
  })

  it('a peer keeps its identity across a restart, and the seed keeps its identity in a new container', async () => {
    const before = await peerIds(await cluster.running())
    const [seed, worker] = ['seed', 'worker'].map(
      service => async () => (await cluster.running()).find(container => container.service === service)!
    )
    const [oldSeed, oldWorker] = [await seed!(), await worker!()]
    await cluster.docker(['restart', oldWorker.id])
    await cluster.compose(['rm', '--stop', '--force', 'seed'])
    await cluster.compose(['up', '--detach', '--scale', 'worker=2'])
    const after = await peerIds(await cluster.running())
    expect((await seed!()).id).not.toBe(oldSeed.id)
    expect(after.get((await seed!()).id)).toBe(before.get(oldSeed.id))
    expect(after.get(oldWorker.id)).toBe(before.get(oldWorker.id))
  })

  it('the health check of every peer passes', async () => {
    for (const { id } of await cluster.running()) {
      const { stdout } = await cluster.docker(['inspect', '--format', '{{json .Config.Healthcheck.Test}}', id])
      const [kind, ...command] = JSON.parse(stdout) as string[]
      expect(kind).toBe('CMD')
      expect((await cluster.docker(['exec', id, ...command])).code).toBe(0)
    }
  })

  it('`down` leaves no container, network or volume', async () => {
    expect(await cluster.down()).toEqual([])
    expect((await cluster.volumes()).filter(volume => !volumesBefore.includes(volume))).toEqual([])
  })
})
