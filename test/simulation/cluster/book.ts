/** An independent record of clients and chunks. The record throws an error as soon as the peers break a promise. */
import { oneLoop, type SimulatedJob } from './runner.ts'

/** One life of a peer. */
export interface Life {
  readonly id: string
  /** Whether the process runs and has not left the cluster. */
  isThere(): boolean
}

interface Chunk {
  starts: number
  /** The lives in which the chunk runs, and in which the worker can report the chunk to the next leader. */
  running: Set<Life>
  /** The lives in which the partial was computed. */
  computedAt: Life[]
}

export interface BookRules {
  /** No chunk runs twice. */
  once: boolean
  /** No chunk runs again while a living peer still has its partial. */
  neverAgain: boolean
  /** Returns whether some peer can report the job to the next leader. */
  isHeld(job: string): boolean
}

interface JobAccount {
  job: SimulatedJob
  acknowledged: boolean
  isTold: boolean
  chunks: Map<number, Chunk>
}

export class ClusterBook {
  readonly #rules: BookRules
  readonly jobs = new Map<string, JobAccount>()
  /** Chunks that were started again. */
  again = 0
  /** Chunks that ran in quarantine. */
  alone = 0

  constructor(rules: BookRules) {
    this.#rules = rules
  }

  add(job: SimulatedJob): void {
    this.jobs.set(job.name, { job, acknowledged: false, isTold: false, chunks: new Map() })
  }

  /** The jobs whose clients still wait for a promised outcome. */
  owed(): JobAccount[] {
    return [...this.jobs.values()].filter(({ acknowledged, isTold }) => acknowledged && !isTold)
  }

  /** Records that no client waits for the job any more. */
  over(name: string): void {
    this.jobs.get(name)!.isTold = true
  }

  acknowledged(name: string): void {
    this.jobs.get(name)!.acknowledged = true
  }

  told(name: string, result: number): void {
    const account = this.jobs.get(name)!
    account.isTold = true
    if (result !== oneLoop(account.job)) throw new Error(`${name} has another result than one loop`)
  }

  starts(life: Life, name: string, index: number, alone: boolean): void {
    const { chunks } = this.jobs.get(name)!
    const chunk = chunks.get(index) ?? { starts: 0, running: new Set<Life>(), computedAt: [] }
    chunks.set(index, chunk)
    chunk.starts += 1
    if (this.#rules.isHeld(name)) chunk.running.add(life)
    if (alone) this.alone += 1
    if (chunk.starts === 1) return
    this.again += 1
    if (this.#rules.once) throw new Error(`${name} ${index} runs twice, now at ${life.id}`)
    const has = chunk.computedAt.find(life => life.isThere())
    if (has !== undefined && this.#rules.neverAgain)
      throw new Error(`${name} ${index} runs again at ${life.id}, though ${has.id} has computed it`)
  }

  /** Records that all peers that knew these jobs are gone. Clients submit the jobs again, and the partials computed so far do not count. */
  forgotten(names: readonly string[]): void {
    for (const { chunks } of names.map(name => this.jobs.get(name)!)) {
      for (const chunk of chunks.values()) {
        chunk.running.clear()
        chunk.computedAt = []
      }
    }
  }

  ends(life: Life, name: string, index: number): void {
    const { running, computedAt } = this.jobs.get(name)!.chunks.get(index)!
    if (running.delete(life)) computedAt.push(life)
  }
}
