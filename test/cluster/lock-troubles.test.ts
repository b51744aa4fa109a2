import { afterAll, beforeAll, expect, it } from 'vitest'
import { Hosts } from '../faults/hosts.ts'
import { needs } from '../needs.ts'
import { SEED } from '../tier.ts'
import { LOCK_FAULTS, LOCK_HOSTS, troubleLocks } from './lock-troubles.ts'

/** Each fault comes twice. */
const FAULTS = 2 * LOCK_FAULTS.length

needs('hosts').describe(`a lock of three voters on hosts of their own, seed ${SEED}`, () => {
  let hosts: Hosts

  beforeAll(async () => {
    hosts = await Hosts.create(LOCK_HOSTS)
  }, 60_000)

  afterAll(() => hosts?.stop())

  it('a lock has one holder at a time, and its token grows, while leaders and holders are killed, paused and cut off', async () => {
    const { holders, overlaps, backwards } = await troubleLocks(hosts, FAULTS, SEED)
    expect({ overlaps, backwards }).toEqual({ overlaps: 0, backwards: 0 })
    expect(holders).toBeGreaterThan(FAULTS)
  }, 600_000)
})
