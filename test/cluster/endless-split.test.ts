import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProcessCluster, type RunningCommand } from './processes.ts'

/**
 * The most chunks that split may be ahead of the started chunks. Each of the two workers has up to 32 waiting chunks, and some chunks are in
 * transit, so the limit is far above their number. An unlimited split would soon exceed the limit.
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
  /** Resolves when the output reports this chunk or a later chunk. A client that attaches late misses the output of earlier chunks. */
  const hasComeTo = (command: RunningCommand, chunk: number): Promise<void> =>
    command.until(`chunk ${chunk}`, ({ stderr }) =>
      [...stderr.matchAll(/chunk (\d+) has run/g)].some(([, index]) => Number(index) >= chunk)
    )

  /** Checks that the thread of split has ended, and that both peers are alive and compute the next job. */
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

  it('an endless job runs until it is cancelled, and the leader pulls only those chunks from split that will run soon', async () => {
    const { stdout } = await cluster.run([...args(true), '--detach'])
    const id = stdout.trim()
    const result = cluster.spawn(['result', id])
    // The task throws if split gets too far ahead, so 200 completed chunks show that split never got too far ahead.
    await hasComeTo(result, 200)
    expect(await cluster.run(['cancel', id])).toMatchObject({ code: 0, stdout: `job ${id} is cancelled\n` })
    expect((await result.ended).code).toBe(1)
    await isOver()
  })

  it('Ctrl-C ends an endless job', async () => {
    const command = cluster.spawn(args(true))
    await hasComeTo(command, 100)
    command.child.kill('SIGINT')
    const { code, stderr } = await command.ended
    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining('is cancelled') })
    await isOver()
  })

  it('a job whose split loops without yielding a chunk can be cancelled, and the thread of split is terminated', async () => {
    const { stdout } = await cluster.run([...args(false), '--detach'])
    const id = stdout.trim()
    await vi.waitFor(() => expect(existsSync(join(folder, 'beat'))).toBe(true), { timeout: 60_000 })
    expect(await cluster.run(['cancel', id])).toMatchObject({ code: 0, stdout: `job ${id} is cancelled\n` })
    await isOver()
  })

  it('Ctrl-C ends a job whose split loops without yielding a chunk', async () => {
    const command = cluster.spawn(args(false))
    await vi.waitFor(() => expect(existsSync(join(folder, 'beat'))).toBe(true), { timeout: 60_000 })
    command.child.kill('SIGINT')
    expect((await command.ended).code).toBe(130)
    await isOver()
  })
})
