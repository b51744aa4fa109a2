import { P2pWorkerError } from '../../common/errors.ts'
import { count } from '../../views/words.ts'
import { exitCodes } from '../exit-codes.ts'
import { paint, printable, say } from '../terminal/output.ts'

/** The number of failures that are printed one by one. */
const MOST_TOLD = 10

/** Counts and prints the failed commands of `map --exec`. */
export class ExecFailures {
  readonly #keepGoing: boolean
  #count = 0

  constructor(keepGoing: boolean) {
    this.#keepGoing = keepGoing
  }

  /** @throws P2pWorkerError at the first failure, unless `--keep-going` is set */
  add(line: string, failure: string): void {
    const what = `the command for ${JSON.stringify(line)} failed: ${failure}`
    if (!this.#keepGoing)
      throw new P2pWorkerError(`${what}. The others were ended: --keep-going goes on, --retries tries again`)
    this.#count += 1
    if (this.#count <= MOST_TOLD) say(`${paint('caution', 'failed:')} ${printable(what)}`)
  }

  /** Prints the number of failures, and returns the exit code. */
  end(): number {
    if (this.#count === 0) return exitCodes.done
    say(`${paint('bad', 'error:')} ${count(this.#count, 'command')} failed`)
    return exitCodes.failed
  }
}
