/** A job that a client has started, until it is accepted. */
interface AskedRun<Token> {
  time: number
  askers: Token[]
}

/** The jobs that clients have started, by their ids. */
export class AskedRuns<Token> {
  readonly #runs = new Map<string, AskedRun<Token>>()

  /** Notes a request. Returns whether it is the first one for this job. */
  ask(job: string, time: number, asker: Token): boolean {
    const run = this.#runs.get(job)
    if (run === undefined) this.#runs.set(job, { time, askers: [asker] })
    else run.askers.push(asker)
    return run === undefined
  }

  /** Returns the requests for a job, which are answered now. */
  take(job: string): AskedRun<Token> | undefined {
    const run = this.#runs.get(job)
    this.#runs.delete(job)
    return run
  }
}
