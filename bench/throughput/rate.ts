/** How many tasks that do nothing a system gets done, with all of their results at whoever submitted them. */
export interface Rate {
  tasks: number
  /** From the first submission to the last result, by the clock of the submitter. */
  ms: number
}

export function perSecond({ tasks, ms }: Rate): number {
  return (tasks / ms) * 1_000
}

/** The sum of 0 to n − 1, which is what the results of the tasks add up to. */
export function sumBelow(n: number): number {
  return (n * (n - 1)) / 2
}

/** @throws Error when results are missing or wrong */
export function checkSum(system: string, n: number, sum: number): void {
  if (sum !== sumBelow(n)) throw new Error(`${system}: the results add up to ${sum}, not ${sumBelow(n)}`)
}
