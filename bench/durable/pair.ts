/** Two clusters at the same time, of which one keeps its journal in data folders: a leader that only leads and two workers of one slot each. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../../src/api/types.ts'
import { clientOf, withCluster } from '../recovery/clusters.ts'

export const WAYS = ['without data folders', 'with data folders'] as const
export type Way = (typeof WAYS)[number]

/** Runs `use` with several clients of each of the two clusters. */
export async function withPair<T>(clients: number, use: (clients: Record<Way, Client[]>) => Promise<T>): Promise<T> {
  const home = await mkdtemp(join(tmpdir(), 'p2p-worker-bench-'))
  try {
    return await withClients(clients, undefined, without =>
      withClients(clients, home, withFolders =>
        use({ 'without data folders': without, 'with data folders': withFolders })
      )
    )
  } finally {
    await rm(home, { recursive: true })
  }
}

async function withClients<T>(
  count: number,
  home: string | undefined,
  use: (clients: Client[]) => Promise<T>
): Promise<T> {
  const folder = (peer: number): string[] => (home === undefined ? [] : ['--data-dir', join(home, `peer ${peer}`)])
  const worker = (peer: number) => ({ args: ['--role', 'worker', '--slots', '1', ...folder(peer)] })
  const leader = { args: ['--role', 'leader', '--election-priority', '1', ...folder(0)] }
  return await withCluster(
    [leader, worker(1), worker(2)],
    async cluster => {
      const clients: Client[] = []
      try {
        while (clients.length < count) clients.push(await clientOf(cluster))
        return await use(clients)
      } finally {
        await Promise.all(clients.map(client => client.close()))
      }
    },
    { firstLeads: true }
  )
}
