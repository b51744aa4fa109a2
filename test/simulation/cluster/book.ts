/** What the clients of a simulated cluster were told, and which chunks ran where: it throws as soon as something is not as promised. */
import { oneLoop, type SimulatedJob } from './runner.ts'

/** One life of a peer. */
export interface Life {
  readonly id: string
  /** Its process is there, and has not left. */
  isThere(): boolean
}

interface Chunk {
  starts: number
  /** Where it runs, for a leader of whom the next one knows. */
  running: Set<Life>
  /** Where its partial was made. */
  computedAt: Life[]
}

export interface BookRules {
  /** No chunk runs twice. */
  once: boolean
  /** No chunk runs again that a living peer has computed. */
  neverAgain: boolean
  /** Whether somebody could tell the next leader of a job. */
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
  /** Chunks that ran in processes of their own. */
  alone = 0

  constructor(rules: BookRules) {
    this.#rules = rules
  }

  add(job: SimulatedJob): void {
    this.jobs.set(job.name, { job, acknowledged: false, isTold: false, chunks: new Map() })
  }

  /** What a client may rely on, and does not have yet. */
  owed(): JobAccount[] {
    return [...this.jobs.values()].filter(({ acknowledged, isTold }) => acknowledged && !isTold)
  }

  /** Nobody waits for it any more. */
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

  /** All who could have told the next leader of these are gone: their clients bring them anew, and what was computed of them counts no more. */
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
