// Does what a task should not do, as its input says.
import { defineTask } from 'p2p-worker'
import { throwFromBeside } from './beside.ts'

export default defineTask({
  *split({ what }: { what: string }) {
    if (what === 'split') throw new Error('split went wrong')
    for (let i = 0; i < 6; i++) yield { what, i }
  },
  run({ what, i }, { signal }) {
    if (what === 'log') {
      console.log('hello from', i)
      console.error('and a complaint')
    }
    if (what === 'run' && i === 3) throwFromBeside(i)
    if (what === 'exit' && i === 3) process.exit(7)
    if (what === 'loop' && i === 3) for (;;) if (signal === undefined) break
    // A linked list, because a growing array allocates much at once, which may end the whole process.
    if (what === 'memory' && i === 3) for (let kept = {}, n = 0; ; n++) kept = { kept, text: `x${n}` }
    if (what === 'function' && i === 3) return { list: [1, () => 2] }
    if (what === 'rejection' && i === 3) Promise.reject(new Error('nobody waits for this'))
    return { list: [i] }
  },
  initial: (): number[] => [],
  reduce(all: number[], { list }, index) {
    if (list[0] === 5 && index === 5 && all.length === 99) throw new Error('never')
    return [...all, ...(list as number[])]
  },
  finish(all) {
    return all
  }
})
