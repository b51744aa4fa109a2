import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, connect, InvalidOptionError, join, NotAdmittedError, type Peer } from '../../src/index.ts'

describe('the priority of a peer', () => {
  let peer: Peer
  let client: Client

  beforeAll(async () => {
    const cluster = { cluster: `priority-${process.pid}`, insecure: true, mdns: false, profile: 'local' as const }
    peer = await join({ ...cluster, listen: ['/ip4/127.0.0.1/tcp/0'], allow: [{ peer: '*', may: ['submit'] }] })
    client = await connect({ ...cluster, bootstrap: peer.addresses() })
  })

  afterAll(async () => {
    await client?.close()
    await peer?.leave()
  })

  const priority = (): number | undefined => peer.members().find(({ id }) => id === peer.id)?.electionPriority

  it('a peer changes its own priority, and its members and clients learn of it', async () => {
    peer.setElectionPriority(3)
    expect(priority()).toBe(3)
    await expect.poll(() => client.members()[0]?.electionPriority).toBe(3)
    peer.setElectionPriority('slots')
    expect(priority()).toBeGreaterThan(0)
    expect(() => peer.setElectionPriority(0.5)).toThrow(InvalidOptionError)
  })

  it('a client that the allow list lets only submit changes no priority', async () => {
    peer.setElectionPriority(3)
    await expect(client.setElectionPriority(peer.id, 9)).rejects.toThrow(NotAdmittedError)
    expect(priority()).toBe(3)
  })

  it('a client that may join changes the priority, also twice at the same time', async () => {
    peer.setAccess({ allow: null })
    const changes = [client.setElectionPriority(peer.id, 4), client.setElectionPriority(peer.id, 5)]
    expect(await Promise.all(changes)).toEqual([4, 5])
    expect(priority()).toBe(5)
  })

  it('a client refuses an invalid priority and an unknown member, and stops when its signal aborts', async () => {
    await expect(client.setElectionPriority(peer.id, 0.5)).rejects.toThrow(/`electionPriority` must be.*0\.5/)
    await expect(client.setElectionPriority('nobody', 1)).rejects.toThrow(/no live member.*nobody/)
    const reason = new Error('changed my mind')
    const aborted = client.setElectionPriority(peer.id, 1, { signal: AbortSignal.abort(reason) })
    await expect(aborted).rejects.toBe(reason)
  })
})
