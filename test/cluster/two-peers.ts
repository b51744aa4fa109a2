import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type CommandResult, ProcessCluster } from './processes.ts'

/** The path of a task of the tests. */
export const task = (name: string): string => `test/cluster/tasks/${name}.ts`

/** Two peers for tasks that misbehave. Whatever a test did: both are there afterwards, and take the next job. */
export class TwoPeers {
  cluster!: ProcessCluster

  constructor() {
    beforeAll(async () => {
      this.cluster = await ProcessCluster.start(2, ['--max-heap-mb', '48'])
      await this.cluster.settled()
    })
    afterAll(() => this.cluster.stop())
    afterEach(async () => {
      expect(this.cluster.live).toHaveLength(2)
      const { stdout } = await this.cluster.run(['run', task('squares'), '--input', '{"n":10}'])
      expect(stdout.trim()).toBe('385')
    })
  }

  /** Runs the task that does `what` it should not. */
  naughty(what: string, ...args: string[]): Promise<CommandResult> {
    return this.cluster.run(['run', task('naughty'), '--input', JSON.stringify({ what }), ...args])
  }
}
