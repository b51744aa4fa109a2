/** Measures how soon a peer that was killed runs the first of its unfinished jobs, beside a plain read of its folder. */

import { randomFillSync } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DEFAULT_LIMITS } from '../../src/common/limits.ts'
import { ProcessCluster } from '../../test/cluster/processes.ts'
import { using } from '../membership/resources.ts'
import { clientOf, within } from '../recovery/clusters.ts'
import { taskFile } from '../throughput/trio.ts'

const POLL_MS = 5
const LIMIT_MS = 60_000

export interface Restart {
  bytes: number
  /** From the start of the process until a chunk runs, in ms. */
  times: number[]
  /** What a plain read of all files took before each start, in ms. */
  reads: number[]
}

/** @param bytes - the size of the journal, in the inputs of `jobs` jobs */
export async function restarts(jobs: number, bytes: number, rounds: number): Promise<Restart> {
  return await using(ProcessCluster.create(), async cluster => {
    const folder = join(cluster.home, 'data')
    const file = join(cluster.home, 'lines')
    const lines = (): number => statSync(file).size
    const runs = async (): Promise<void> => {
      while (lines() === 0) await delay(POLL_MS)
    }
    const start = async () => {
      writeFileSync(file, '')
      const peer = cluster.join(['--data-dir', folder, '--journal-mb', '2048'])
      await peer.ready()
      return peer
    }
    const first = await start()
    for (let left = jobs; left > 0; ) {
      const client = await clientOf(cluster)
      const some = mostOf(left, jobs)
      for (let i = 0; i < some; i++) {
        const padding = randomFillSync(new Uint8Array(bytes / jobs))
        await client.submit(taskFile('endless', 'durable'), { file, padding }, { detach: true, keep: 0 })
      }
      left -= some
      await client.close()
    }
    await first.end('SIGKILL')
    const log = join(folder, 'log')
    const size = readdirSync(log).reduce((sum, name) => sum + statSync(join(log, name)).size, 0)
    const found: Restart = { bytes: size, times: [], reads: [] }
    for (let round = 0; round < rounds; round++) {
      let began = performance.now()
      for (const name of readdirSync(log)) readFileSync(join(log, name))
      found.reads.push(performance.now() - began)
      began = performance.now()
      const peer = await start()
      await within(LIMIT_MS, 'a chunk runs', runs())
      found.times.push(performance.now() - began)
      await peer.end('SIGKILL')
    }
    return found
  })
}

/** The number of jobs that the leader takes from one more client: it leaves a part of its room to others. */
function mostOf(left: number, jobs: number): number {
  const { jobs: limit, jobsPerClient } = DEFAULT_LIMITS
  const room = left + limit - jobs
  return Math.min(left, jobsPerClient, Math.max(1, Math.floor((4 * room) / 5)))
}

export const MOST_JOBS = DEFAULT_LIMITS.jobs
