import { defineTask } from 'p2p-worker'

export default defineTask({
  run: (x: number) => x,
  finish(): number {
    throw new Error('finish went wrong')
  }
})
