/** Selects the rows of a benchmark's table, and collects their measurements. */
import { cpus, totalmem } from 'node:os'
import { isInterrupted } from './membership/resources.ts'
import { table } from './statistics.ts'

/** The rows that the command line names, by default all rows. The constructor ends the process if a named row does not exist. */
export class WantedRows {
  readonly quick: boolean
  readonly #wanted: string[]

  constructor(names: readonly string[], args = process.argv.slice(2)) {
    this.quick = args.includes('--quick')
    this.#wanted = args.filter(arg => arg !== '--quick')
    const unknown = this.#wanted.filter(row => !names.includes(row))
    if (unknown.length === 0) return
    console.error(`there is no row ${unknown.join(', ')}; the rows are ${names.join(', ')}`)
    process.exit(2)
  }

  readonly is = (row: string): boolean => this.#wanted.length === 0 || this.#wanted.includes(row)
}

const began = performance.now()

/** Writes a progress line with the elapsed seconds to stderr. */
export function tell(what: string): void {
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(5)} s  ${what}`)
}

/** A table of requirements and measurements. */
export class MeasuredRows {
  readonly #wanted: WantedRows
  readonly #rows: Array<[what: string, must: string, measured: string, runs: number]> = []

  constructor(wanted: WantedRows) {
    this.#wanted = wanted
  }

  add(what: string, must: string, measured: string, runs: number): void {
    this.#rows.push([what, must, measured, runs])
    tell(`${what}: ${measured}`)
  }

  /** Measures a row. If the measurement fails, the table reports the failure, and the remaining rows are still measured. */
  async measure(row: string, how: () => Promise<void>): Promise<void> {
    if (!this.#wanted.is(row) || isInterrupted()) return
    try {
      await how()
    } catch (error) {
      tell(`${row}: ${error instanceof Error ? error.stack : error}`)
      this.#rows.push([row, '', `**broke off**: ${String(error).split('\n')[0]}`, 0])
      process.exitCode = 1
    }
  }

  print(): void {
    const date = new Date().toISOString().slice(0, 10)
    const minutes = ((performance.now() - began) / 60_000).toFixed(1)
    const quick = this.#wanted.quick ? ' --quick: not to be quoted;' : ''
    console.log(`${date};${quick} ${cpus().length} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GiB,`)
    console.log(`Node ${process.versions.node}; profile lan; ${minutes} min\n`)
    console.log(table(['what', 'must', 'measured', 'runs'], this.#rows))
  }
}
