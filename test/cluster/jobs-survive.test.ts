import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { connect } from '../../src/index.ts'
import { ProcessCluster } from './processes.ts'

const task = (name: string): string => `test/cluster/tasks/${name}.ts`

describe('a job on four peers', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(4)
  })

  beforeEach(async () => {
    while (cluster.live.length < 4) await cluster.join().ready()
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('a job is folded in chunk order, so the result equals the result of one loop to the bit', async () => {
    const n = 2_000
    let sum = 0
    for (let i = 1; i <= n; i++) sum += Math.sin(i) * 10 ** (i % 30)
    const { stdout } = await cluster.run(['run', task('float-sum'), '--input', JSON.stringify({ n }), '--json'])
    expect(JSON.parse(stdout).result).toEqual({ sum, order: [0, 1, 2, 3, 4] })
  })

  it('a job ends with the same result when a worker is killed, and reports the retries', async () => {
    const [file, until] = [join(cluster.home, 'worker-killed'), join(cluster.home, 'worker-killed-until')]
    const n = 1_000
    const input = JSON.stringify({ n, ms: 60, file, until })
    const command = cluster.spawn(['run', task('sleep-sum'), '--input', input, '--json'])
    const [leader] = cluster.byRank()
    const victim = cluster.byRank().at(-1)!
    await leader!.until('the job runs', events =>
      events.some(({ event, state }) => event === 'job' && state === 'running')
    )
    await linesIn(file, 12)
    await victim.end('SIGKILL')
    await writeFile(until, '')
    const { code, stdout } = await command.ended
    const { state, result, stats } = JSON.parse(stdout)
    expect({ code, state, result }).toEqual({ code: 0, state: 'completed', result: (n * (n - 1)) / 2 })
    expect(stats.chunks).toBe(n)
    // Each line beyond one for each chunk is an execution that was lost with its peer, and so a retry, or a second start of a slow chunk.
    const executions = (await readFile(file, 'utf8')).trimEnd().split('\n').length
    expect(stats.retries).toBeGreaterThan(0)
    expect(executions).toBeGreaterThanOrEqual(n)
    expect(executions - n).toBeLessThanOrEqual(stats.retries + stats.speculated)
  })

  it('a job returns the verified sums of NAS EP class W, equal to the bit when a worker is killed midway', async () => {
    const args = ['run', 'examples/nas-ep.ts', '--input', '{"class":"W"}', '--json']
    const undisturbed = JSON.parse((await cluster.run(args)).stdout)
    expect(undisturbed).toMatchObject({
      state: 'completed',
      result: { verified: true, counts: [12281576, 11729692, 2202726, 137368, 3371, 36, 0, 0, 0, 0] },
      stats: { chunks: 512, retries: 0 }
    })
    const [leader, ...others] = cluster.byRank()
    const { P2P_WORKER_KEY: key, P2P_WORKER_CLUSTER: name } = cluster.env
    await using watcher = await connect({ cluster: name, key, bootstrap: leader!.addresses, mdns: false })
    const command = cluster.spawn(args)
    const done = async (): Promise<number> =>
      (await watcher.status()).jobs.find(({ state }) => state === 'running')?.done ?? 0
    await expect.poll(done, { timeout: 60_000, interval: 10 }).toBeGreaterThan(0)
    await others.at(-1)!.end('SIGKILL')
    const { state, result, stats } = JSON.parse((await command.ended).stdout)
    expect({ state, result }).toEqual({ state: 'completed', result: undisturbed.result })
    expect(stats.retries).toBeGreaterThan(0)
  })

  it('a job is combined at the workers, so the leader folds a sixteenth, and the result is the same to the bit after a kill', async () => {
    const n = 8_005
    let sum = 0
    for (let from = 0; from < n; from += 16) {
      const values = Array.from(
        { length: Math.min(16, n - from) },
        (_, i) => Math.sin(from + i) * 10 ** ((from + i) % 30)
      )
      sum += values.reduce((a, b) => a + b)
    }
    const file = join(cluster.home, 'combined')
    const input = JSON.stringify({ n, ms: 1, file })
    const command = cluster.spawn(['run', task('combined-sum'), '--input', input, '--json'])
    // The next leader combines the partials that were not folded yet.
    await linesIn(file, 280, 'reduce')
    await cluster.byRank()[0]!.end('SIGKILL')
    const { code, stdout, stderr } = await command.ended
    expect(code, stderr).toBe(0)
    const { result, stats } = JSON.parse(stdout)
    expect({ result, chunks: stats.chunks }).toEqual({ result: { sum, folds: Math.ceil(n / 16) }, chunks: n })
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const drivers = new Set(lines.filter(line => line.startsWith('reduce')).map(line => line.split(' ')[2]))
    const combined = new Map(
      lines.flatMap(line => (line.startsWith('combine') ? [line.split(' ').slice(1) as [string, string]] : []))
    )
    // The leader combines the groups that no single worker had, or whose worker cannot report them any more.
    const byWorkers = [...combined.values()].filter(thread => !drivers.has(thread))
    expect(combined.size).toBe(Math.floor(n / 16))
    expect(byWorkers.length).toBeGreaterThan(combined.size / 2)
  })

  it('a job ends with the same result when the leader is killed, and no live peer computes one of its chunks twice', async () => {
    const [file, until] = [join(cluster.home, 'leader-killed'), join(cluster.home, 'leader-killed-until')]
    const n = 400
    const input = JSON.stringify({ n, ms: 50, file, until })
    const command = cluster.spawn(['run', task('sleep-sum'), '--input', input, '--no-speculate', '--json'])
    const [leader, next] = cluster.byRank()
    await linesIn(file, 30)
    await leader!.end('SIGKILL')
    await next!.follows(next!.id)
    await linesIn(file, (await executionsIn(file)).length + 10)
    await writeFile(until, '')
    const { code, stdout } = await command.ended
    const { state, result, stats } = JSON.parse(stdout)
    expect({ code, state, result }).toEqual({ code: 0, state: 'completed', result: (n * (n - 1)) / 2 })
    expect(Object.values<number>(stats.perPeer).reduce((sum, chunks) => sum + chunks)).toBe(n)
    // Only the partials of chunks that the leader computed itself are lost.
    const executions = await executionsIn(file)
    expect(repeated(executions.filter(({ pid }) => pid !== leader!.child.pid))).toEqual([])
    expect(new Set(executions.map(({ value }) => value)).size).toBe(n)
  })

  it('a job ends with the same result when the leader leaves and when a higher-ranked peer takes over, without computing a chunk twice', async () => {
    const [file, until] = [join(cluster.home, 'leader-leaves'), join(cluster.home, 'leader-leaves-until')]
    const n = 2_000
    const input = JSON.stringify({ n, ms: 50, file, until })
    const command = cluster.spawn(['run', task('sleep-sum'), '--input', input, '--no-speculate', '--json'])
    const [leader] = cluster.byRank()
    await linesIn(file, 30)
    expect(await leader!.end('SIGTERM')).toEqual({ code: 0, signal: null })
    const joiner = cluster.join(['--election-priority', '1'])
    await joiner.ready()
    await Promise.all(cluster.live.map(peer => peer.follows(joiner.id)))
    await linesIn(file, (await executionsIn(file)).length + 10)
    await writeFile(until, '')
    const { stdout } = await command.ended
    expect(JSON.parse(stdout)).toMatchObject({ state: 'completed', result: (n * (n - 1)) / 2 })
    const executions = await executionsIn(file)
    expect(repeated(executions)).toEqual([])
    expect(executions.length).toBe(n)
    expect(await joiner.end('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  it('a job ends with the same result when the leader that its client is attached to falls silent', async () => {
    const file = join(cluster.home, 'leader-silent')
    const input = JSON.stringify({ n: 40, ms: 50, file })
    const [leader, next] = cluster.byRank()
    const meet = ['--no-mdns', '--bootstrap', leader!.addresses[0]!]
    const command = cluster.spawnBare(['run', task('sleep-sum'), '--input', input, '--json', ...meet], cluster.env)
    await linesIn(file, 10)
    leader!.child.kill('SIGSTOP')
    await next!.follows(next!.id)
    const { state, result } = JSON.parse((await command.ended).stdout)
    expect({ state, result }).toEqual({ state: 'completed', result: (40 * 39) / 2 })
    leader!.child.kill('SIGCONT')
    // The old leader wakes up, learns of the new leader, and takes over again as the highest peer.
    await cluster.settled()
  })

  it('a job is cancelled by Ctrl-C: the client exits 130, endless chunks are terminated, and no other chunk begins', async () => {
    const file = join(cluster.home, 'cancelled')
    const command = cluster.spawn(['run', task('looping'), '--input', JSON.stringify({ n: 1_000, file })])
    const [leader] = cluster.byRank()
    await linesIn(file, 3, 'begins')
    command.child.kill('SIGINT')
    expect((await command.ended).code).toBe(130)
    await leader!.until('the job is cancelled', events => events.some(({ state }) => state === 'cancelled'))
    await isStill(file)
    // No chunk ends by itself, so each of the four slots has begun at most one.
    expect((await linesOf(file)).filter(line => line.startsWith('begins')).length).toBeLessThanOrEqual(4)
  })

  it('a job does not wait for a chunk that never ends: another peer computes that chunk, and the first copy is terminated', async () => {
    const file = join(cluster.home, 'slow')
    const [n, hangs] = [100, 30]
    const args = ['run', task('looping'), '--input', JSON.stringify({ n, file, hangs }), '--json']
    const { code, stdout } = await cluster.run(args)
    const { state, result, stats } = JSON.parse(stdout)
    expect({ code, state, result }).toEqual({ code: 0, state: 'completed', result: (n * (n - 1)) / 2 })
    expect(stats).toMatchObject({ chunks: n, retries: 0 })
    expect(stats.speculated).toBeGreaterThan(0)
    const begun = (await linesOf(file)).filter(line => line.startsWith(`begins ${hangs} `))
    expect(new Set(begun).size).toBe(2)
    await isStill(file)
  })

  /** Resolves when no chunk has written a line while another whole job ran: each running chunk writes a line every 5 ms. */
  async function isStill(file: string): Promise<void> {
    const written = async (): Promise<number> => {
      const before = (await linesOf(file)).length
      const { stdout } = await cluster.run(['run', task('squares'), '--input', '{"n":10}'])
      expect(stdout.trim()).toBe('385')
      return (await linesOf(file)).length - before
    }
    await expect.poll(written, { timeout: 60_000, interval: 10 }).toBe(0)
  }
})

async function linesOf(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1)
}

interface Execution {
  value: number
  pid: number
}

/** Reads the executions that the chunks of `sleep-sum` have recorded. */
async function executionsIn(file: string): Promise<Execution[]> {
  return (await linesOf(file)).map(line => {
    const [value, pid] = line.split(' ').map(Number)
    return { value: value!, pid: pid! }
  })
}

/** The executions of chunks that had run before. */
function repeated(executions: readonly Execution[]): Execution[] {
  const seen = new Set<number>()
  return executions.filter(({ value }) => seen.size === seen.add(value).size)
}

/**
 * Resolves when the file has at least `count` lines with this beginning. Another process writes the file, so the test can only poll
 * it.
 */
async function linesIn(file: string, count: number, beginning = ''): Promise<void> {
  const lines = async (): Promise<number> => (await linesOf(file)).filter(line => line.startsWith(beginning)).length
  await expect.poll(lines, { timeout: 60_000, interval: 10 }).toBeGreaterThanOrEqual(count)
}
