// Returns the environment and arguments of its peer that a task can see, by itself and in a process that it starts.
import { execFileSync } from 'node:child_process'
import { defineTask } from 'p2p-worker'

export default defineTask({
  name: 'tell-secrets',
  *split() {
    yield 0
  },
  run: () => [
    JSON.stringify(process.env),
    JSON.stringify(process.argv),
    execFileSync('env', { encoding: 'utf8' }),
    execFileSync('sh', ['-c', 'tr "\\0" " " < /proc/$PPID/cmdline'], { encoding: 'utf8' })
  ],
  finish: (told: string[][]) => told.flat().join('\n')
})
