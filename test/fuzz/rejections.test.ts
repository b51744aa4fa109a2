import { expect, it, onTestFinished, vi } from 'vitest'
import { targetOf } from './run.ts'
import { SUBJECTS } from './subjects/all.ts'
import { World } from './world/world.ts'

/** From frame number `first` on, leaves a rejected promise unhandled after each frame. */
function leaveRejectionsFrom(first: number): void {
  const { feed } = World.prototype
  let count = 0
  const spy = vi.spyOn(World.prototype, 'feed').mockImplementation(async function (this: World, ...frame) {
    await feed.apply(this, frame)
    count += 1
    if (count >= first) void Promise.reject(new Error('left'))
  })
  // Vitest fails a test that leaves a rejection unhandled, so the test removes vitest's listeners.
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  onTestFinished(() => {
    spy.mockRestore()
    for (const listener of listeners) process.on('unhandledRejection', listener)
  })
}

const target = targetOf(SUBJECTS.find(({ name }) => name === 'overview')!)

it('an unhandled rejection soon ends a run of hostile frames, and the run reports the rejection as its find', async () => {
  leaveRejectionsFrom(5_100)
  const { frames, find } = await target.fuzz({ seed: 1, frames: 10_000 })
  expect(frames).toBeLessThan(5_300)
  expect(find?.what).toContain('nobody handled')
})

it('the replay of a single frame reports the unhandled rejection that the frame causes', async () => {
  leaveRejectionsFrom(1)
  expect(await target.replay([{ to: 'leader', hex: '00' }])).toContain('nobody handled')
})
