import { expect, it, onTestFinished, vi } from 'vitest'
import { targetOf } from './run.ts'
import { SUBJECTS } from './subjects/all.ts'
import { World } from './world/world.ts'

/** Leaves a promise rejected after each frame, from frame number `first` on. */
function leaveRejectionsFrom(first: number): void {
  const { feed } = World.prototype
  let count = 0
  const spy = vi.spyOn(World.prototype, 'feed').mockImplementation(async function (this: World, ...frame) {
    await feed.apply(this, frame)
    count += 1
    if (count >= first) void Promise.reject(new Error('left'))
  })
  // Vitest fails a test that leaves a rejection, so its listeners are removed.
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  onTestFinished(() => {
    spy.mockRestore()
    for (const listener of listeners) process.on('unhandledRejection', listener)
  })
}

const target = targetOf(SUBJECTS.find(({ name }) => name === 'overview')!)

it('an unhandled rejection soon ends a run of hostile frames, and is the find of that run', async () => {
  leaveRejectionsFrom(5_100)
  const { frames, find } = await target.fuzz({ seed: 1, frames: 10_000 })
  expect(frames).toBeLessThan(5_300)
  expect(find?.what).toContain('nobody handled')
})

it('the replay of a single frame finds the unhandled rejection that the frame causes', async () => {
  leaveRejectionsFrom(1)
  expect(await target.replay([{ to: 'leader', hex: '00' }])).toContain('nobody handled')
})
