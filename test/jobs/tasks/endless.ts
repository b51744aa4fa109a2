import { defineTask } from 'p2p-worker'

/** A task whose chunks ignore their signal and never end. */
export default defineTask({
  split: (count: number) => Array.from({ length: count }, (_, i) => i),
  run(): number {
    for (;;) Math.random()
  }
})
