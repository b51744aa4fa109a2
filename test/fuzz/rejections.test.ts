import { expect, it, onTestFinished, vi } from 'vitest'
import { targetOf } from './run.ts'
import { SUBJECTS } from './subjects/all.ts'
import { World } from './world/world.ts'

/** Has what takes a frame leave a rejection to nobody from the frame on that is the `first`-th. */
function leaveRejectionsFrom(first: number): void {
  const { feed } = World.prototype
  let count = 0
  const spy = vi.spyOn(World.prototype, 'feed').mockImplementation(async function (this: World, ...frame) {
    await feed.apply(this, frame)
    count += 1
    if (count >= first) void Promise.reject(new Error('left'))
  })
  // Vitest fails whatever leaves one.
  const listeners = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  onTestFinished(() => {
    spy.mockRestore()
    for (const listener of listeners) process.on('unhandledRejection', listener)
  })
}

const target = targetOf(SUBJECTS.find(({ name }) => name === 'overview')!)

it('a promise that is left rejected ends a run of hostile frames soon, and is its find', async () => {
  leaveRejectionsFrom(5_100)
  const { frames, find } = await target.fuzz({ seed: 1, frames: 10_000 })
  expect(frames).toBeLessThan(5_300)
  expect(find?.what).toContain('nobody handled')
})

it('a promise that is left rejected is found by as few frames as leave it', async () => {
  leaveRejectionsFrom(1)
  expect(await target.replay([{ to: 'leader', hex: '00' }])).toContain('nobody handled')
})
