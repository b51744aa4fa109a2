import { defineTask } from 'p2p-worker'

/** Spells out the sevens of a line, for `map`. */
export default defineTask({
  run(line: string): string {
    if (line === 'fail') throw new RangeError('this line fails')
    if (line === 'log') console.log('seen')
    return line.replaceAll('7', 'seven')
  }
})
