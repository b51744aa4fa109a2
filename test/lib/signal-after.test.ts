import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { signalAfter } from '../../src/lib/signal-after.ts'

it('aborts within AbortSignal.any though the garbage is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const never = new AbortController()
  const waits = Array.from(
    { length: 50 },
    () =>
      new Promise<unknown>(resolve => {
        const either = AbortSignal.any([never.signal, signalAfter(100)])
        either.addEventListener('abort', () => resolve(either.reason), { once: true })
      })
  )
  collect()
  // Its timer keeps no process alive, so something else has to.
  const alive = setInterval(collect, 10)
  const reasons = await Promise.all(waits)
  clearInterval(alive)
  expect(reasons.every(reason => (reason as Error).name === 'TimeoutError')).toBe(true)
})
