import { expect } from 'vitest'
import type { PeerProcess } from '../cluster/processes.ts'
import { Reader } from '../http/events.ts'
import { tokenOf, urlOf } from './served-cluster.ts'

/** Asks for a lock with a request that stays open. Resolves when the request waits or holds the lock. */
export async function holdLock(peer: PeerProcess, name: string, owner: string): Promise<Reader> {
  const headers = {
    Accept: 'text/event-stream',
    'Content-Type': 'application/json',
    Authorization: `Bearer ${await tokenOf(peer)}`
  }
  const reader = new Reader(urlOf(peer), headers, `/api/locks/${name}`, JSON.stringify({ owner }))
  await reader.until(() => expect(reader.events).not.toEqual([]))
  return reader
}
