import { defineTask } from 'p2p-worker'

export default defineTask({
  run: (x: number) => x,
  initial: 0,
  reduce(sum: number, partial: number, index: number): number {
    if (index === 2) throw new TypeError('reduce went wrong')
    return sum + partial
  }
})
