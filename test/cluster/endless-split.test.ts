import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProcessCluster, type RunningCommand } from './processes.ts'

/**
 * Far more chunks than two workers of one slot have beyond their running ones (32 that wait, twice, and some in transit), and far fewer than split
 * yields before this many chunks have run.
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
  /** Resolves when the output reports this chunk or a later one: a client that attaches late misses the output of earlier chunks. */
  const hasComeTo = (command: RunningCommand, chunk: number): Promise<void> =>
    command.until(`chunk ${chunk}`, ({ stderr }) =>
      [...stderr.matchAll(/chunk (\d+) has run/g)].some(([, index]) => Number(index) >= chunk)
    )

  /** Checks that the thread of split is gone, and that both peers are there and compute the next job. */
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

  it('an endless job continues until it is cancelled, and its split is pulled only for chunks that run soon', async () => {
    const { stdout } = await cluster.run([...args(true), '--detach'])
    const id = stdout.trim()
    const result = cluster.spawn(['result', id])
    // The task throws if split gets too far ahead, so 200 completed chunks show that it did not.
    await hasComeTo(result, 200)
    expect(await cluster.run(['cancel', id])).toMatchObject({ code: 0, stdout: `job ${id} is cancelled\n` })
    expect((await result.ended).code).toBe(1)
    await isOver()
  })

  it('an endless job is ended by Ctrl-C', async () => {
    const command = cluster.spawn(args(true))
    await hasComeTo(command, 100)
    command.child.kill('SIGINT')
    const { code, stderr } = await command.ended
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('is cancelled') })
    await isOver()
  })

  it('an endless job whose split loops without a chunk is cancelled, and its thread is terminated', async () => {
    const { stdout } = await cluster.run([...args(false), '--detach'])
    const id = stdout.trim()
    await vi.waitFor(() => expect(existsSync(join(folder, 'beat'))).toBe(true), { timeout: 60_000 })
    expect(await cluster.run(['cancel', id])).toMatchObject({ code: 0, stdout: `job ${id} is cancelled\n` })
    await isOver()
  })

  it('an endless job whose split loops without a chunk is ended by Ctrl-C', async () => {
    const command = cluster.spawn(args(false))
    await vi.waitFor(() => expect(existsSync(join(folder, 'beat'))).toBe(true), { timeout: 60_000 })
    command.child.kill('SIGINT')
    expect((await command.ended).code).toBe(130)
    await isOver()
  })
})
