import pDefer from 'p-defer'
import { describe, expect, it, vi } from 'vitest'
import type { ClusterStatus, Leader } from '../../src/api/types.ts'
import { Shared } from '../../src/http/shared.ts'
import { sharedStatus } from '../../src/http/shared-status.ts'

describe('a shared value', () => {
  it('callers that arrive while a shared value is being created share the next value', async () => {
    const made = [pDefer<string>(), pDefer<string>(), pDefer<string>()]
    let begun = 0
    const shared = new Shared(() => made[begun++]!.promise)
    const first = shared.get()
    // These callers may have acted after the first creation began, so they need a newer value.
    const others = [shared.get(), shared.get()]
    expect(begun).toBe(1)
    made[0]!.resolve('old')
    expect(await first).toBe('old')
    await vi.waitFor(() => expect(begun).toBe(2))
    made[1]!.resolve('new')
    expect(await Promise.all(others)).toEqual(['new', 'new'])
    const later = shared.get()
    made[2]!.resolve('newest')
    expect(await later).toBe('newest')
    expect(begun).toBe(3)
  })

  it('a shared value is created again after a failed creation', async () => {
    let begun = 0
    const shared = new Shared(async () => {
      begun += 1
      if (begun === 1) throw new RangeError('not yet')
      return begun
    })
    const first = shared.get()
    const second = shared.get()
    await expect(first).rejects.toThrow('not yet')
    expect(await second).toBe(2)
  })
})

/** A peer whose leader never answers. Without a leader, the peer answers immediately. */
class AskedPeer extends EventTarget {
  leader: Leader | undefined = { id: 'leader', epoch: 1 }
  asked = 0

  async status({ signal }: { signal?: AbortSignal } = {}): Promise<ClusterStatus> {
    this.asked += 1
    if (this.leader === undefined) return { noLeader: 'too few voters' } as ClusterStatus
    return await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  }

  lead(leader: Leader | undefined): void {
    this.leader = leader
    this.dispatchEvent(new Event('leader'))
  }
}

describe('the shared status', () => {
  it('a status that waits for a leader resolves as soon as the peer has no leader', async () => {
    const peer = new AskedPeer()
    const status = sharedStatus(peer as never, new AbortController().signal)
    const asked = [status.get(), status.get()]
    // A change of leader does not start a second question.
    peer.lead({ id: 'other', epoch: 2 })
    expect(peer.asked).toBe(1)
    peer.lead(undefined)
    expect(await Promise.all(asked)).toEqual([{ noLeader: 'too few voters' }, { noLeader: 'too few voters' }])
  })

  it('a status that waits for a leader rejects when the server stops', async () => {
    const stopped = new AbortController()
    const status = sharedStatus(new AskedPeer() as never, stopped.signal)
    const asked = status.get()
    stopped.abort(new RangeError('stopped'))
    await expect(asked).rejects.toThrow('stopped')
  })
})
