/** The number of no-op tasks, and the time until the submitter has all results. */
export interface Rate {
  tasks: number
  /** The time from the first submission to the last result, in ms, by the clock of the submitter. */
  ms: number
}

export function perSecond({ tasks, ms }: Rate): number {
  return (tasks / ms) * 1_000
}

/** Returns the sum of 0 to n − 1. The results of the tasks must have this sum. */
export function sumBelow(n: number): number {
  return (n * (n - 1)) / 2
}

/** @throws Error if results are missing or wrong */
export function checkSum(system: string, n: number, sum: number): void {
  if (sum !== sumBelow(n)) throw new Error(`${system}: the results add up to ${sum}, not ${sumBelow(n)}`)
}
