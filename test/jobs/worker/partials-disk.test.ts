import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { InvalidMessageError } from '../../../src/common/errors.ts'
import { InFlightChunks, type SignedBatch } from '../../../src/jobs/worker/in-flight-chunks.ts'
import { PartialsDisk } from '../../../src/jobs/worker/partials-disk.ts'
import type { Stored } from '../../../src/persistence/log/content-log.ts'
import { packIndexed, unpackIndexed } from '../../../src/tasks/values/pack.ts'
import { IDS } from '../fake-cluster.ts'
import { FakeLog } from './fake-log.ts'

const SHA256 = 'ab'.repeat(32)

const given = (indices: number[], epoch = 1): SignedBatch => ({
  leader: IDS[0]!,
  epoch,
  indices,
  digests: new Uint8Array(16 * indices.length).fill(epoch),
  seal: new Uint8Array(64).fill(epoch)
})
/** Partials of 100 bytes each, unless they have another size. */
const partials = (indices: number[], size = 100) =>
  packIndexed(indices.map(index => ({ index, bytes: new Uint8Array(size).fill(index) })))

let log: FakeLog

beforeEach(() => {
  vi.useFakeTimers()
  log = new FakeLog()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Starts a worker that has one job. */
function start(mostBytes = 2 ** 20, duration?: number) {
  const disk = log.reopen()
  const inFlight = new InFlightChunks(disk)
  const restored = disk.begin({ jobs: () => [{ id: 'job', sha256: SHA256, inFlight, duration }], mostBytes })
  for (const { batch, partials, stored } of restored) inFlight.restore(batch, partials, stored)
  const run = (indices: number[], size?: number): void => {
    inFlight.give(given(indices))
    inFlight.done(partials(indices, size))
  }
  return { disk, inFlight, restored, run }
}

const indicesOnDisk = (): number[] => start().restored.flatMap(({ partials: { indices } }) => indices)

describe('the partials of a worker on disk', () => {
  it('a partial is on disk within a second, with the batch that the leader has signed', async () => {
    const { run } = start()
    run([3, 1])
    await vi.advanceTimersByTimeAsync(1_000)
    const { restored } = start()
    expect(restored).toMatchObject([{ job: 'job', sha256: SHA256, batch: given([3, 1]) }])
    expect(unpackIndexed(restored[0]!.partials)).toEqual(unpackIndexed(partials([3, 1])))
  })

  it('a restarted worker offers the partials as a worker that went on', async () => {
    const before = start()
    before.run([1, 2])
    before.run([5])
    await vi.advanceTimersByTimeAsync(1_000)
    const after = start()
    expect(after.inFlight.batches()).toEqual(before.inFlight.batches())
    const { retained, missing } = after.inFlight.reattach(given([2, 5, 6], 2))
    expect(unpackIndexed(retained)).toEqual(unpackIndexed(partials([2, 5])))
    expect(missing).toEqual([6])
    expect(after.inFlight.retainedBytes).toBe(before.inFlight.retainedBytes)
  })

  it('a partial that is covered before it was written is never written', async () => {
    const { run, inFlight } = start()
    for (let index = 0; index < 100; index++) {
      run([index])
      await vi.advanceTimersByTimeAsync(100)
      inFlight.covered(index - 3)
    }
    inFlight.covered(100)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(log.writes).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('the partials of tiny chunks are written only when the worker stops', async () => {
    const { run, disk } = start(2 ** 20, 0.01)
    run([1])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(log.writes).toEqual([])
    disk.close()
    expect(indicesOnDisk()).toEqual([1])
  })

  it('the partials of many chunks are written together, each once', async () => {
    const { run } = start()
    for (let index = 0; index < 1_000; index++) {
      run([index])
      await vi.advanceTimersByTimeAsync(10)
    }
    await vi.advanceTimersByTimeAsync(1_000)
    expect(log.writes.length).toBeLessThan(40)
    expect(log.writes.flat()).toHaveLength(1_000)
    expect(indicesOnDisk()).toHaveLength(1_000)
  })

  it('a value is deleted with the last of its partials', async () => {
    const { run, inFlight } = start()
    run([1, 2])
    await vi.advanceTimersByTimeAsync(1_000)
    inFlight.drop([1])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(indicesOnDisk()).toEqual([1, 2])
    run([7])
    inFlight.covered(3)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(indicesOnDisk()).toEqual([7])
  })

  it('a job that ends takes its values with it', async () => {
    const { run, inFlight } = start()
    run([1])
    run([2])
    await vi.advanceTimersByTimeAsync(1_000)
    inFlight.forget()
    await vi.advanceTimersByTimeAsync(1_000)
    expect([...log.values]).toEqual([])
  })

  it('a partial that was computed again replaces the one on disk', async () => {
    const { run, inFlight } = start()
    run([1])
    await vi.advanceTimersByTimeAsync(1_000)
    inFlight.give(given([1], 2))
    inFlight.done(partials([1]))
    await vi.advanceTimersByTimeAsync(1_000)
    expect(start().restored.map(({ batch }) => batch.epoch)).toEqual([2])
  })

  it('a worker that stops writes all partials', () => {
    const { run, disk } = start()
    run([1])
    run([2])
    disk.close()
    expect(indicesOnDisk()).toEqual([1, 2])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('the values have no more bytes than a worker may retain, and what does not fit is written when there is room', async () => {
    const most = 10_000
    const { run, inFlight } = start(most)
    for (let index = 0; index < 20; index++) {
      run([index], 1_000)
      await vi.advanceTimersByTimeAsync(1_000)
    }
    const bytes = [...log.values.values()].reduce(
      (sum, { value, contents }) => sum + value.byteLength + contents[0]!.byteLength,
      0
    )
    expect(bytes).toBeGreaterThan(most / 2)
    // The bytes of the batch come in addition.
    expect(bytes).toBeLessThan(most + 2_000)
    inFlight.covered(19)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(indicesOnDisk()).toEqual([19])
  })

  it('a worker goes on while its disk fails, and writes what it still retains afterwards', async () => {
    const { run, inFlight } = start()
    log.isFailing = true
    run([1])
    run([2])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(log.writes).toEqual([])
    expect(inFlight.reattach(given([1], 2)).retained.indices).toEqual([1])
    inFlight.covered(2)
    log.isFailing = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(indicesOnDisk()).toEqual([2])
  })

  it('a worker has one write under way at a time', async () => {
    const { run } = start()
    log.delay = 11_000
    for (let index = 0; index < 10; index++) {
      run([index])
      await vi.advanceTimersByTimeAsync(1_000)
    }
    expect(log.writes).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(log.writes).toHaveLength(2)
    expect(indicesOnDisk()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  })

  it('the writes of large partials take a twentieth of the time at most', async () => {
    const { run } = start(2 ** 30)
    log.delay = 100
    for (let index = 0; index < 200; index++) {
      run([index], 2 ** 20)
      await vi.advanceTimersByTimeAsync(50)
    }
    // 20 MiB arrive a second, which is more than the writes may take.
    const seconds = (200 * 50) / 1_000
    expect(log.values.size / seconds).toBeGreaterThan(5)
    expect(log.values.size / seconds).toBeLessThan(15)
  })

  it.each([
    ['no message', (stored: Stored) => ({ ...stored, value: new Uint8Array([255, 255]) })],
    ['the bytes of other partials', (stored: Stored) => ({ ...stored, contents: [new Uint8Array(99)] })],
    ['no bytes', (stored: Stored) => ({ ...stored, contents: [] })]
  ])('a value with %s is refused', async (_, damaged) => {
    const { run } = start()
    run([1])
    await vi.advanceTimersByTimeAsync(1_000)
    const [[key, stored]] = [...log.values] as [[string, Stored]]
    expect(() => new PartialsDisk(log).read(key, damaged(stored))).toThrow(InvalidMessageError)
    expect(() => new PartialsDisk(log).read('partials/nonsense', stored)).toThrow(InvalidMessageError)
  })

  it('a value of another part is left to that part', () => {
    const stored = { value: new Uint8Array([255]), contents: [] }
    expect(new PartialsDisk(log).read('entry/job', stored)).toBe(false)
  })
})
