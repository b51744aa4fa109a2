import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProcessCluster, type RunningCommand } from './processes.ts'

/**
 * Far more than two workers of one slot get ahead of what they run (32 that wait, twice over, and some that travel), and far less than
 * split gives in the time that it takes to run so many.
 */
const MOST_AHEAD = 250

describe('a job whose split never ends', () => {
  let cluster: ProcessCluster
  let folder: string

  beforeAll(async () => {
    cluster = await ProcessCluster.start(2)
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  beforeEach(async () => {
    folder = await mkdtemp(join(cluster.home, 'endless-'))
  })

  const args = (yields: boolean): string[] => {
    const input = JSON.stringify({ folder, most: MOST_AHEAD, yields })
    return ['run', 'test/cluster/tasks/endless-split.ts', '--input', input]
  }
  /** Resolves when the task says so of a chunk this far, or farther: who attaches has not heard of all. */
  const hasComeTo = (command: RunningCommand, chunk: number): Promise<void> =>
    command.until(`chunk ${chunk}`, ({ stderr }) =>
      [...stderr.matchAll(/chunk (\d+) has run/g)].some(([, index]) => Number(index) >= chunk)
    )

  /** The thread in which split ran is gone, both peers are there, and compute the next job. */
  const isOver = async (): Promise<void> => {
    await vi.waitFor(
      async () => {
        await rm(join(folder, 'beat'), { force: true })
        const { stdout } = await cluster.run(['run', 'test/cluster/tasks/squares.ts', '--input', '{"n":10}'])
        expect(stdout).toBe('385\n')
        expect(existsSync(join(folder, 'beat')), 'the thread of split runs on').toBe(false)
      },
      { timeout: 60_000 }
    )
    expect(cluster.live).toHaveLength(2)
  }

  it('continues until it is cancelled, and split is pulled only for chunks that run soon', async () => {
    const { stdout } = await cluster.run([...args(true), '--detach'])
    const id = stdout.trim()
    const result = cluster.spawn(['result', id])
    // A chunk before which split was asked for more would have failed the job.
    await hasComeTo(result, 200)
    expect(await cluster.run(['cancel', id])).toMatchObject({ code: 0, stdout: `job ${id} is cancelled\n` })
    expect((await result.ended).code).toBe(1)
    await isOver()
  })

  it('is ended by Ctrl-C', async () => {
    const command = cluster.spawn(args(true))
    await hasComeTo(command, 100)
    command.child.kill('SIGINT')
    const { code, stderr } = await command.ended
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('is cancelled') })
    await isOver()
  })

  it('is cancelled, and its thread is terminated, when split loops without a chunk', async () => {
    const { stdout } = await cluster.run([...args(false), '--detach'])
    const id = stdout.trim()
    await vi.waitFor(() => expect(existsSync(join(folder, 'beat'))).toBe(true), { timeout: 60_000 })
    expect(await cluster.run(['cancel', id])).toMatchObject({ code: 0, stdout: `job ${id} is cancelled\n` })
    await isOver()
  })

  it('is ended by Ctrl-C when split loops without a chunk', async () => {
    const command = cluster.spawn(args(false))
    await vi.waitFor(() => expect(existsSync(join(folder, 'beat'))).toBe(true), { timeout: 60_000 })
    command.child.kill('SIGINT')
    expect((await command.ended).code).toBe(130)
    await isOver()
  })
})
