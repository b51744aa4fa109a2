import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

/**
 * A task whose chunks append their index and the time to a file as they end, after 50 ms. The first chunk waits until the file `go` exists, if there is
 * such an input: until then nothing can be folded, and no checkpoint covers the other partials.
 */
const LINES = `
import { appendFileSync, existsSync } from 'node:fs'
export default {
  *split({ n, file, go }) { for (let i = 0; i < n; i++) yield { i, file, go: i === 0 ? go : undefined } },
  async run({ i, file, go }) {
    do await new Promise(resolve => setTimeout(resolve, 50))
    while (go !== undefined && !existsSync(go))
    appendFileSync(file, i + ' ' + Date.now() + '\\n')
    return i
  },
  initial: 0,
  reduce: (sum, i) => sum + i
}`

/** Partials of chunks that ended this long before the end of all peers are on a disk, in ms. */
const KEPT_MS = 1_500

interface Line {
  index: number
  /** When the chunk ended, in ms since the Unix epoch. */
  at: number
}

describe('peers with data folders that are all killed', () => {
  let cluster: ProcessCluster
  let jobs = 0

  beforeAll(async () => {
    cluster = await ProcessCluster.create()
    await writeFile(join(cluster.home, 'lines.ts'), LINES)
  })

  const killAll = (): Promise<unknown> => Promise.all(cluster.live.map(peer => peer.end('SIGKILL')))

  afterEach(killAll)
  afterAll(() => cluster.stop())

  const start = async (n: number, options: readonly string[] = []): Promise<PeerProcess> => {
    const peer = cluster.join(['--data-dir', join(cluster.home, `data ${n}`), ...options])
    await peer.ready()
    return peer
  }
  /** Starts the peers one after the other, so that each finds the ones before. */
  const startAll = async (order: readonly number[]): Promise<void> => {
    for (const n of order) await start(n)
    await cluster.settled()
  }

  /** Submits a job of `n` chunks, and waits until half of them have ended. */
  const runHalf = async (n: number, input: object = {}) => {
    const file = join(cluster.home, `lines ${++jobs}`)
    await writeFile(file, '')
    const all = JSON.stringify({ n, file, ...input })
    const submitted = await cluster.run(['run', join(cluster.home, 'lines.ts'), '--input', all, '--detach'])
    expect(submitted).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^held by \d peers, \d of them on disk\n$/)
    })
    const lines = async (): Promise<Line[]> =>
      (await readFile(file, 'utf8'))
        .split('\n')
        .slice(0, -1)
        .map(line => line.split(' ').map(Number) as [number, number])
        .map(([index, at]) => ({ index, at }))
    await expect.poll(async () => (await lines()).length, { timeout: 60_000 }).toBeGreaterThan(n / 2)
    return { id: submitted.stdout.trim(), lines }
  }

  /** Returns the chunks that ended long before `stop` and ran more than once. */
  const ranAgain = (lines: readonly Line[], stop: number): Line[] => {
    const kept = new Set(lines.filter(({ at }) => at < stop - KEPT_MS).map(({ index }) => index))
    return lines.filter(({ index, at }) => at > stop && kept.has(index))
  }

  const resultOf = async (id: string): Promise<unknown> => {
    const { stdout, code } = await cluster.run(['result', id])
    return { stdout, code }
  }

  it('a detached job that was acknowledged ends with the exact result, whichever order the peers come back in', async () => {
    await startAll([1, 2, 3])
    const n = 200
    const { id, lines } = await runHalf(n)
    await killAll()
    await startAll([3, 1, 2])
    expect(await resultOf(id)).toEqual({ stdout: `${(n * (n - 1)) / 2}\n`, code: 0 })
    expect(new Set((await lines()).map(({ index }) => index)).size).toBe(n)
  })

  it('no chunk runs again that ended 1.5 s before five peers were killed at half of a job', async () => {
    await startAll([1, 2, 3, 4, 5])
    const n = 600
    const { id, lines } = await runHalf(n)
    const stop = Date.now()
    await killAll()
    await startAll([4, 2, 5, 1, 3])
    expect(await resultOf(id)).toEqual({ stdout: `${(n * (n - 1)) / 2}\n`, code: 0 })
    expect(ranAgain(await lines(), stop)).toEqual([])
  })

  it('no chunk runs again whose partial no checkpoint covers, if it ended 1.5 s before all peers were killed', async () => {
    await startAll([1, 2, 3])
    const n = 300
    const go = join(cluster.home, 'go')
    const { id, lines } = await runHalf(n, { go })
    const stop = Date.now()
    await killAll()
    expect((await lines()).filter(({ at }) => at < stop - KEPT_MS).length).toBeGreaterThan(10)
    await startAll([2, 3, 1])
    await writeFile(go, '')
    expect(await resultOf(id)).toEqual({ stdout: `${(n * (n - 1)) / 2}\n`, code: 0 })
    expect(ranAgain(await lines(), stop)).toEqual([])
  })

  it('a peer that comes back alone goes on with the job after `--recover-wait`, and not before', async () => {
    await startAll([1, 2, 3])
    const n = 100
    const { id } = await runHalf(n)
    await killAll()
    const since = performance.now()
    await start(2, ['--recover-wait', '3s'])
    expect(await resultOf(id)).toEqual({ stdout: `${(n * (n - 1)) / 2}\n`, code: 0 })
    const took = performance.now() - since
    expect(took).toBeGreaterThan(3_000)
    expect(took).toBeLessThan(30_000)
  })
})
