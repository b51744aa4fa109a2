import { expect, test } from 'vitest'
import { enter, ProcessTimers, settled, withVirtualTime } from './cluster/virtual-time.ts'

const STEPS = 100

/** Runs simulated steps. Each step starts a timer after `ticks` ticks, with a promise after each tick. */
async function startTimersAfter(ticks: number): Promise<void> {
  const timers = new ProcessTimers({ now: () => 0, timer: () => {} } as unknown as ConstructorParameters<
    typeof ProcessTimers
  >[0])
  const startAfter = (left: number): void => {
    if (left === 0) setTimeout(() => {}, 1)
    else process.nextTick(() => Promise.resolve().then(() => startAfter(left - 1)))
  }
  await withVirtualTime(async () => {
    for (let i = 0; i < STEPS; i++) {
      enter(timers)
      startAfter(ticks)
      await settled()
    }
  })
}

test('a simulated step may start a timer after one tick, and fails when it starts a timer after three ticks', async () => {
  await startTimersAfter(1)
  await expect(startTimersAfter(3)).rejects.toThrow('starts a timer after two ticks')
})
