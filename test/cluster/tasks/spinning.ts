import { defineTask } from 'p2p-worker'

/** One chunk that never gives way: says which process it is in, and loops for ever. */
export default defineTask({
  name: 'spinning',
  split: () => [0],
  run: (chunk: number, { log }): number => {
    log(`pid ${process.pid}`)
    for (;;) chunk++
  }
})
