import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { csv, kMeansInOneLoop, sgdInOneLoop } from '../examples/iris.ts'
import { ProcessCluster } from './processes.ts'

/** Resolves with the lines of a file when it has at least `count`. */
async function linesIn(file: string, count: number): Promise<string[]> {
  for (;;) {
    const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1)
    if (lines.length >= count) return lines
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}

describe('an iteration of 50 rounds on four peers', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(4)
  })

  beforeEach(async () => {
    while (cluster.live.length < 4) await cluster.join().ready()
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it.each([
    { which: 'k-means', shards: 15, ms: 15, expected: kMeansInOneLoop() },
    { which: 'sgd', shards: 5, ms: 30, expected: sgdInOneLoop() }
  ])(
    'an iteration ends with the same state as a plain loop, to the bit, although two leaders are killed: $which',
    async ({ which, shards, ms, expected }) => {
      const file = join(cluster.home, which)
      const input = JSON.stringify({ which, csv, file, ms })
      const command = cluster.spawn(['run', 'test/cluster/tasks/slow-iteration.ts', '--input', input, '--json'])
      const [first, second, third] = cluster.byRank()
      await linesIn(file, 12 * shards)
      await first!.end('SIGKILL')
      await Promise.all([second!, third!].map(peer => peer.follows(second!.id)))
      await linesIn(file, 30 * shards)
      await second!.end('SIGKILL')
      await third!.follows(third!.id)
      const { code, stdout, stderr } = await command.ended
      expect(code, stderr).toBe(0)
      const { state, result, stats } = JSON.parse(stdout)
      expect({ state, result }).toEqual({ state: 'completed', result: expected })
      expect(stats.chunks).toBe(50 * shards)
      const lines = await linesIn(file, 50 * shards)
      // Every chunk ran, and few ran again: those whose partials only the dead leaders had, and those that ran when a leader died.
      expect(new Set(lines).size).toBe(50 * shards)
      expect(lines.length).toBeLessThan(60 * shards)
    }
  )
})
