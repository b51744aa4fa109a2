import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PeerProcess, ProcessCluster } from './processes.ts'

/** A task whose chunks append their index to a file as they end. */
const LINES = `
import { appendFileSync } from 'node:fs'
export default {
  *split({ n, file }) { for (let i = 0; i < n; i++) yield { i, file } },
  async run({ i, file }) {
    await new Promise(resolve => setTimeout(resolve, 50))
    appendFileSync(file, i + '\\n')
    return i
  },
  initial: 0,
  reduce: (sum, i) => sum + i
}`

describe('peers with data folders that are all killed', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.create()
  })

  afterAll(() => cluster.stop())

  const start = async (n: number): Promise<PeerProcess> => {
    const peer = cluster.join(['--data-dir', join(cluster.home, `data ${n}`)])
    await peer.ready()
    return peer
  }
  /** Starts the peers one after the other, so that each finds the ones before. */
  const startAll = async (order: readonly number[]): Promise<void> => {
    for (const n of order) await start(n)
    await cluster.settled()
  }
  const killAll = (): Promise<unknown> => Promise.all(cluster.live.map(peer => peer.end('SIGKILL')))

  it('a detached job that was acknowledged ends with the exact result, whichever order the peers come back in', async () => {
    const task = join(cluster.home, 'lines.ts')
    const file = join(cluster.home, 'lines')
    await writeFile(task, LINES)
    await writeFile(file, '')
    await startAll([1, 2, 3])
    const n = 200
    const submitted = await cluster.run(['run', task, '--input', JSON.stringify({ n, file }), '--detach'])
    expect(submitted).toMatchObject({ code: 0, stderr: '' })
    const id = submitted.stdout.trim()
    const lines = async (): Promise<string[]> => (await readFile(file, 'utf8')).trim().split('\n')
    const leader = cluster.byRank()[0]!
    await leader.until('running', events => events.some(({ state }) => state === 'running'))
    await expect.poll(async () => (await lines()).length).toBeGreaterThan(n / 2)
    await killAll()
    await startAll([3, 1, 2])
    const { stdout, code } = await cluster.run(['result', id])
    expect({ stdout, code }).toEqual({ stdout: `${(n * (n - 1)) / 2}\n`, code: 0 })
    const ran = await lines()
    expect(new Set(ran).size).toBe(n)
  })
})
