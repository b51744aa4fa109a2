import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Client, ClusterStatus } from '../../../src/api/types.ts'
import type { Happening } from '../../../src/cli/top/model.ts'
import { watchCluster } from '../../../src/cli/top/watch.ts'
import { status } from './fixtures.ts'

/** The part of a client that top watches. */
class FakeClient extends EventTarget {
  peer: string | undefined = 'peer-one'
  leader = status().leader
  asked = 0
  reply: () => Promise<ClusterStatus> = () => Promise.resolve(status())

  members = () => status().members
  status = () => {
    this.asked += 1
    return this.reply()
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function watch() {
  const client = new FakeClient()
  const told: Happening[] = []
  const over = new AbortController()
  const ended = watchCluster(client as unknown as Client, happening => told.push(happening), over.signal)
  const types = (): string[] => told.splice(0).map(({ type }) => type)
  return { client, told, types, over, ended }
}

describe('watching a cluster for top', () => {
  it('watching reports the view of the peer at once, and asks the leader every second', async () => {
    const { client, types, over, ended } = watch()
    expect(types()).toEqual(['view'])
    await vi.advanceTimersByTimeAsync(10_500)
    expect(client.asked).toBeGreaterThanOrEqual(10)
    expect(client.asked).toBeLessThanOrEqual(12)
    over.abort()
    await ended
  })

  it('watching reports many simultaneous changes as one event', async () => {
    const { client, types, over, ended } = watch()
    await vi.advanceTimersByTimeAsync(10)
    types()
    for (let i = 0; i < 50; i++) client.dispatchEvent(new Event('member'))
    await vi.advanceTimersByTimeAsync(200)
    expect(types()).toEqual(['view'])
    over.abort()
    await ended
  })

  it('while the leader has not answered a request, watching sends no second request, but still reports the view', async () => {
    const { client, types, over, ended } = watch()
    await vi.advanceTimersByTimeAsync(10)
    client.reply = () => new Promise(() => {})
    await vi.advanceTimersByTimeAsync(2_000)
    const { asked } = client
    types()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(client.asked).toBe(asked)
    expect(types()).toEqual(['view', 'view', 'view', 'view'])
    over.abort()
    await Promise.race([ended, Promise.resolve()])
  })

  it('watching continues to ask the leader after a failed request', async () => {
    const { client, told, over, ended } = watch()
    client.reply = () => Promise.reject(new Error('nobody there'))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(told.findLast(({ type }) => type === 'failure')).toMatchObject({ message: 'nobody there' })
    client.reply = () => Promise.resolve(status())
    await vi.advanceTimersByTimeAsync(1_500)
    expect(told.at(-1)?.type).toBe('answer')
    over.abort()
    await ended
    expect(vi.getTimerCount()).toBe(0)
  })
})
