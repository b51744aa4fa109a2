/** Simulates users who submit detached jobs on the command line and ask for the results by id, even after the waiting command was killed. */
import type { ProcessCluster, RunningCommand } from '../../test/cluster/processes.ts'
import { within } from './clusters.ts'
import { sumOf } from './tasks/term.ts'

/** A job of eight seconds of work for one slot. */
const JOB = { n: 160, ms: 50 }
/** The time limit of a command, in ms. */
const COMMAND_LIMIT = 60_000
/** The time, in ms, after which a job counts as lost if its result is still unknown. */
const JOB_LIMIT = 120_000

export class DetachedJobs {
  readonly found = {
    acknowledged: 0,
    right: 0,
    wrong: [] as string[],
    refused: [] as string[],
    askedAgain: [] as string[]
  }
  readonly #cluster: ProcessCluster
  readonly #waiting = new Set<RunningCommand>()
  #isEnough = false
  #isOver = false

  constructor(cluster: ProcessCluster) {
    this.#cluster = cluster
  }

  /** Submits one job after the other until `enough` is called. */
  async keepBusy(): Promise<void> {
    while (!this.#isEnough) {
      const id = await this.#submit()
      if (id === undefined) continue
      this.found.acknowledged++
      const result = await this.#resultOf(id)
      if (Object.is(result, sumOf(JOB.n))) this.found.right++
      else this.found.wrong.push(`${id}: ${result}`)
    }
  }

  /** Stops the submission of new jobs. Running jobs still complete. */
  enough(): void {
    this.#isEnough = true
  }

  /** Ends all waiting commands, and starts no more commands. */
  async stop(): Promise<void> {
    this.#isEnough = true
    this.#isOver = true
  }

  /** Kills a random waiting client. Returns false if no client waits for a job. */
  killClient(random: () => number): boolean {
    const clients = [...this.#waiting]
    return clients[Math.floor(random() * clients.length)]?.child.kill('SIGKILL') ?? false
  }

  async #submit(): Promise<string | undefined> {
    const input = JSON.stringify(JOB)
    const args = ['run', 'bench/recovery/tasks/sleep.ts', '--input', input, '--detach', '--no-speculate', '--json']
    const command = this.#cluster.spawn(args)
    try {
      const { code, stdout, stderr } = await within(COMMAND_LIMIT, 'run --detach ends', command.ended)
      if (code === 0) return (JSON.parse(stdout) as { jobId: string }).jobId
      this.found.refused.push(stderr.trim())
    } catch (error) {
      command.child.kill('SIGKILL')
      this.found.refused.push(String(error))
    }
    return undefined
  }

  /** Asks for the result of a job until the result is known. After the time limit, resolves with the last answer instead. */
  async #resultOf(id: string): Promise<unknown> {
    let said = 'nothing'
    for (const end = performance.now() + JOB_LIMIT; performance.now() < end && !this.#isOver; ) {
      const command = this.#cluster.spawn(['result', id, '--json'])
      this.#waiting.add(command)
      try {
        const { code, signal, stdout, stderr } = await within(JOB_LIMIT, 'result ends', command.ended)
        if (code === 0) return (JSON.parse(stdout) as { result: unknown }).result
        // A user whose client was killed asks again. Any other answer without a result is recorded, because a real user might not ask again.
        if (signal === 'SIGKILL') continue
        said = stderr.trim()
        this.found.askedAgain.push(`${id}: ${said}`)
      } catch (error) {
        command.child.kill('SIGKILL')
        said = String(error)
      } finally {
        this.#waiting.delete(command)
      }
    }
    return said
  }
}
