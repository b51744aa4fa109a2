import { expect, test } from 'vitest'
import { SEED } from '../tier.ts'
import { KillRounds } from './kill-rounds.ts'

test('every job that two disks held when it was acknowledged ends right, once, although peers are killed in each round and all of them in every fifth', async () => {
  const rounds = await KillRounds.start(SEED)
  try {
    const { acknowledged, wrong } = await rounds.run(10)
    expect(wrong).toEqual([])
    expect(acknowledged).toBeGreaterThan(3)
  } finally {
    await rounds.stop()
  }
}, 300_000)
