// seq 1000 | npx p2p-worker map examples/collatz.ts

/** For each number, counts the steps of n → n / 2 (if n is even) or n → 3n + 1 (if n is odd) until 1: https://oeis.org/A006577 */
import { defineTask } from 'p2p-worker'

export default defineTask({
  name: 'collatz',
  run(line: string): string {
    let n = BigInt(line.trim())
    if (n < 1n) throw new RangeError(`${line} is no positive whole number`)
    let steps = 0
    for (; n !== 1n; steps++) n = n % 2n === 0n ? n / 2n : 3n * n + 1n
    return `${line} ${steps}`
  }
})
