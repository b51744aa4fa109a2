import { afterAll, beforeAll, expect, it } from 'vitest'
import { Hosts } from '../faults/hosts.ts'
import { needs } from '../needs.ts'
import { STORES } from './all.ts'
import { type HostedStore, troubleLeaders } from './troubles.ts'

for (const { name, tools, hosted } of STORES) {
  needs('hosts', ...tools).describe(`three hosts that elect by ${name} on a fourth host`, () => {
    let hosts: Hosts
    let store: HostedStore

    beforeAll(async () => {
      hosts = await Hosts.create(4)
      store = await hosted(hosts)
    }, 60_000)

    afterAll(async () => {
      await store?.stop()
      await hosts?.stop()
    })

    it('a command of `lead` never runs at two hosts at one moment, while leaders are cut off from the store, paused and killed', async () => {
      const { stints, overlaps } = await troubleLeaders(hosts, store, 30)
      expect(overlaps).toBe(0)
      expect(stints).toBeGreaterThan(30)
    }, 600_000)
  })
}
