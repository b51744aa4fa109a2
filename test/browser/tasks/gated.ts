// The first `open` chunks take `ms` each. All other chunks wait until the file `gate` exists, so that nothing changes while a test checks the page.
// The name of the task is nearly as long as allowed and contains markup, which the page must show as text.
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { defineTask } from 'p2p-worker'

interface Input {
  n: number
  open: number
  ms?: number
  gate: string
}

export default defineTask({
  name: `<img src="/x" onerror="document.title=1"> & <b>gated</b> ${'without-an-end-'.repeat(2)}`,
  *split({ n, open, ms = 0, gate }: Input) {
    for (let value = 0; value < n; value++) yield { value, isOpen: value < open, ms, gate }
  },
  async run({ value, isOpen, ms, gate }, { signal }) {
    if (ms > 0) await delay(ms, undefined, { signal })
    while (!isOpen && !existsSync(gate)) await delay(50, undefined, { signal })
    return value
  },
  initial: 0,
  reduce: (sum, value) => sum + value
})
