import { afterAll, beforeAll, expect, it } from 'vitest'
import { Hosts } from '../faults/hosts.ts'
import { needs } from '../needs.ts'
import { hostedEtcd } from './hosted-etcd.ts'
import { hostedPostgres } from './hosted-postgres.ts'
import { type HostedStore, troubleLeaders } from './troubles.ts'

const STORES = { etcd: hostedEtcd, postgres: hostedPostgres }

for (const [name, start] of Object.entries(STORES)) {
  needs('hosts', name as keyof typeof STORES).describe(`three hosts that elect by ${name} on a fourth host`, () => {
    let hosts: Hosts
    let store: HostedStore

    beforeAll(async () => {
      hosts = await Hosts.create(4)
      store = await start(hosts)
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
