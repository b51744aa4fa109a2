import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type CommandResult, ProcessCluster } from './processes.ts'

export interface TwoPeers {
  readonly cluster: ProcessCluster
  /** Runs the task that does `what` a task should not do. */
  naughty(what: string, ...args: string[]): Promise<CommandResult>
}

/** The path of a task of the tests. */
export const task = (name: string): string => `test/cluster/tasks/${name}.ts`

/** Gives the tests of a suite two peers, which must both be alive and take the next job after each test. */
export function twoPeers(): TwoPeers {
  let cluster: ProcessCluster
  beforeAll(async () => {
    cluster = await ProcessCluster.start(2, ['--max-heap-mb', '48'])
    await cluster.settled()
  })
  afterAll(() => cluster.stop())
  afterEach(async () => {
    expect(cluster.live).toHaveLength(2)
    const { stdout } = await cluster.run(['run', task('squares'), '--input', '{"n":10}'])
    expect(stdout.trim()).toBe('385')
  })
  return {
    get cluster() {
      return cluster
    },
    naughty: (what, ...args) => cluster.run(['run', task('naughty'), '--input', JSON.stringify({ what }), ...args])
  }
}
