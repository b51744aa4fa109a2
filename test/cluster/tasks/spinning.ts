import { defineTask } from 'p2p-worker'

/** One chunk that reports its process and loops forever. */
export default defineTask({
  name: 'spinning',
  split: () => [0],
  run: (chunk: number, { log }): number => {
    log(`pid ${process.pid}`)
    for (;;) chunk++
  }
})
