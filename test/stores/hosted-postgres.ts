import type { Hosts } from '../faults/hosts.ts'
import { PostgresServer } from './postgres.ts'
import { type HostedStore, STORE_HOST } from './troubles.ts'

const LEASE_MS = 2_000

/** Starts PostgreSQL on the host of the store. Resolves when it accepts connections. */
export async function hostedPostgres(hosts: Hosts): Promise<HostedStore> {
  const server = await PostgresServer.start({
    host: hosts.address(STORE_HOST),
    port: 5432,
    wrap: hosts.wrap(STORE_HOST)
  })
  return {
    flags: ['--election', server.address, '--lease-time', `${LEASE_MS}ms`],
    leaseTime: LEASE_MS,
    stop: () => server.stop()
  }
}
