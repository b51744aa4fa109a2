import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DurableLog, FailureListener } from '../../src/persistence/log/durable-log.ts'
import type { Change } from '../../src/persistence/log/frames.ts'
import { PeerState } from '../../src/persistence/peer-state.ts'
import { LAB } from './folders.ts'

/** A log on a disk that takes writes, fails, or hangs, as the test wants. */
class FakeLog implements Pick<DurableLog, 'urgent' | 'failure' | 'onFailure' | 'writeUrgent'> {
  readonly urgent = new Map<string, Uint8Array>()
  readonly #listeners = new Set<FailureListener>()
  #waiting: { changes: readonly Change[]; done: () => void }[] = []
  #failure: Error | undefined
  /** The states that were on disk, the oldest first. */
  readonly states: Record<string, unknown>[] = []

  failure(): Error | undefined {
    return this.#failure
  }

  onFailure(listener: FailureListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  writeUrgent(changes: readonly Change[], done: () => void = () => {}): void {
    this.#waiting.push({ changes, done })
  }

  /** Ends all writes. */
  sync(): void {
    this.#tell(undefined)
    const waiting = this.#waiting
    this.#waiting = []
    // A newer value replaces the older ones of its key.
    for (const { key, value } of waiting.flatMap(({ changes }) => changes)) this.urgent.set(key, value!)
    if (waiting.length > 0) this.states.push(JSON.parse(new TextDecoder().decode(this.urgent.get('state'))))
    for (const { done } of waiting) done()
  }

  fail(): void {
    this.#tell(new Error('no space left on device'))
  }

  #tell(failure: Error | undefined): void {
    const isNew = (failure === undefined) !== (this.#failure === undefined)
    this.#failure = failure
    if (isNew) for (const listener of this.#listeners) listener('urgent', failure)
  }
}

let log: FakeLog
const read = (): Promise<PeerState> =>
  PeerState.read(log as unknown as DurableLog, { file: '/nowhere/state.json', cluster: LAB })

beforeEach(() => {
  log = new FakeLog()
})

afterEach(() => {
  vi.useRealTimers()
})

test('a promise is kept when it is on disk, and not before', async () => {
  const state = await read()
  let kept: boolean | undefined
  const promise = state.keepPromise({ epoch: 3, holder: 'somebody' }).then(isKept => {
    kept = isKept
  })
  await Promise.resolve()
  expect(kept).toBe(undefined)
  log.sync()
  await promise
  expect(kept).toBe(true)
  expect(log.states.at(-1)).toMatchObject({ epoch: 3, promised: { epoch: 3, holder: 'somebody' }, cluster: 'lab' })
})

test('a promise that cannot be written is not given, and is not on disk when the disk works again', async () => {
  const state = await read()
  const promise = state.keepPromise({ epoch: 9, holder: 'somebody' })
  const accepted = state.keepAccepted(Uint8Array.of(1), 8)
  log.fail()
  expect(await promise).toBe(false)
  await accepted
  expect(state.promised).toBe(undefined)
  log.sync()
  // The leadership that was accepted meanwhile is kept.
  expect(log.states.at(-1)).toMatchObject({ epoch: 8 })
  expect(log.states.at(-1)).not.toHaveProperty('promised')
})

test('a failing disk is reported one time, and again when it works', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const state = await read()
  const writable: boolean[] = []
  state.onWritable(now => writable.push(now))
  const raised = state.raise({ incarnation: 2 })
  log.fail()
  expect(await raised).toBe(false)
  const again = state.raise({ incarnation: 3 })
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await again).toBe(false)
  expect({ writable, now: state.writable }).toEqual({ writable: [false], now: false })
  log.sync()
  await Promise.resolve()
  expect({ writable, now: state.writable }).toEqual({ writable: [false, true], now: true })
  expect(log.states.at(-1)).toMatchObject({ incarnation: 3 })
})

test('an incarnation that is not newer changes nothing', async () => {
  const state = await read()
  void state.raise({ incarnation: 3 })
  log.sync()
  expect(await state.raise({ incarnation: 1 })).toBe(true)
  expect(state.remembered.incarnation).toBe(3)
  expect(log.states).toHaveLength(1)
})

test('a state that is closed gives its latest addresses to the log, and nothing later', async () => {
  const state = await read()
  state.remember(() => ({ addresses: ['/ip4/192.0.2.1/tcp/1'], members: [] }))
  state.close()
  expect(await state.keepPromise({ epoch: 3, holder: 'somebody' })).toBe(false)
  log.sync()
  expect(log.states).toEqual([expect.objectContaining({ addresses: ['/ip4/192.0.2.1/tcp/1'], epoch: 0 })])
  expect(state.promised).toBe(undefined)
})

test('an error of a listener does not prevent later writes', async () => {
  const errors: unknown[] = []
  const listen = (error: unknown): void => void errors.push(error)
  const others = process.rawListeners('uncaughtException') as Array<(error: Error) => void>
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', listen)
  try {
    const state = await read()
    state.onWritable(() => {
      throw new Error('not my day')
    })
    const failed = state.raise({ incarnation: 1 })
    log.fail()
    expect(await failed).toBe(false)
    const raised = state.raise({ incarnation: 2 })
    log.sync()
    expect(await raised).toBe(true)
    await new Promise(resolve => setImmediate(resolve))
  } finally {
    process.removeListener('uncaughtException', listen)
    for (const other of others) process.on('uncaughtException', other)
  }
  expect(errors).toEqual([new Error('not my day'), new Error('not my day')])
})
