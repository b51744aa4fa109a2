import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { BytesOnDisk } from '../../../src/persistence/log/bytes-on-disk.ts'
import { keyOfLoss, LOSSES, NOTE, URGENT } from '../../../src/persistence/log/damage-note.ts'
import { type Change, ID_BYTES } from '../../../src/persistence/log/frames.ts'
import { KeyValueLog, type LogLimits } from '../../../src/persistence/log/key-value-log.ts'
import { scanSegment } from '../../../src/persistence/log/segment.ts'
import fc from '../../properties.ts'
import { randomFrom } from '../../simulation/world.ts'
import { ModelDisk } from './model-disk.ts'

const SMALL = { segmentBytes: 300, rewriteBytes: 100 }
const NO_DAMAGE = { damaged: 0, isCut: false }

const keys = ['a', 'b', 'c', 'd', 'e', 'schlüssel/ß']
const change: fc.Arbitrary<Change> = fc.record({
  key: fc.constantFrom(...keys),
  value: fc.option(fc.uint8Array({ maxLength: 60 }), { nil: undefined })
})
const batches = fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { maxLength: 40 })

type State = Map<string, string>

function after(state: State, changes: readonly Change[]): State {
  const next = new Map(state)
  for (const { key, value } of changes) {
    if (value === undefined) next.delete(key)
    else next.set(key, hexOf(value))
  }
  return next
}

/** The keys with which a log marks damage. */
const MARKS: readonly string[] = [NOTE, ...LOSSES.map(loss => URGENT + keyOfLoss(loss))]

function stateOf(log: KeyValueLog): State {
  const keys = [...log.keys()].filter(key => !MARKS.includes(key))
  return new Map(
    keys.flatMap(key => {
      const value = log.get(key)
      return value === undefined ? [] : [[key, hexOf(value)]]
    })
  )
}

/** Returns all values that a key was given. */
function values(all: readonly Change[][], key: string): string[] {
  return all.flat().flatMap(({ key: name, value }) => (name === key && value !== undefined ? [hexOf(value)] : []))
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

function sorted(state: State): [string, string][] {
  return [...state].sort()
}

/** Writes the batches, and returns the state after each of them, the first one before all. */
function write(disk: ModelDisk, all: readonly Change[][], limits: LogLimits = SMALL): State[] {
  const log = KeyValueLog.open(disk, limits)
  const states: State[] = [new Map()]
  for (const changes of all) {
    log.commit(changes)
    states.push(after(states.at(-1)!, changes))
  }
  return states
}

test('a log that is opened again has all that was committed', () => {
  fc.assert(
    fc.property(batches, all => {
      const disk = new ModelDisk()
      const states = write(disk, all)
      const log = KeyValueLog.open(disk, SMALL)
      expect(log.damage).toEqual(NO_DAMAGE)
      expect(sorted(stateOf(log))).toEqual(sorted(states.at(-1)!))
    })
  )
})

test('after a power cut a log has all that was committed, and the batch that was not is there as a whole or not at all', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(batches, fc.nat(12)), { minLength: 1, maxLength: 6 }), fc.nat(), (runs, seed) => {
      const disk = new ModelDisk()
      const random = randomFrom(seed)
      const draw = (below: number): number => Math.floor(random() * below)
      let state: State = new Map()
      for (const [all, failsAfter] of runs) {
        const log = KeyValueLog.open(disk, SMALL)
        expect(log.damage).toEqual(NO_DAMAGE)
        let open: State | undefined
        for (const [i, changes] of all.entries()) {
          if (i === all.length - 1) disk.failsAfter = failsAfter
          const next = after(state, changes)
          try {
            log.commit(changes)
            state = next
          } catch {
            open = next
          }
        }
        disk.cutPower(draw)
        const found = sorted(stateOf(KeyValueLog.open(disk, SMALL)))
        if (open !== undefined && JSON.stringify(found) === JSON.stringify(sorted(open))) state = open
        expect(found).toEqual(sorted(state))
      }
    }),
    { numRuns: 500 }
  )
})

test('a commit that fails changes nothing, and the next one works when the disk does again', () => {
  fc.assert(
    fc.property(batches, fc.nat(8), change, (all, failsAfter, last) => {
      const disk = new ModelDisk()
      const before = write(disk, all).at(-1)!
      const log = KeyValueLog.open(disk, SMALL)
      disk.failsAfter = failsAfter
      let now = before
      try {
        log.commit([last])
        now = after(before, [last])
      } catch (error) {
        expect(error).toMatchObject({ code: 'ENOSPC' })
      }
      expect(sorted(stateOf(log))).toEqual(sorted(now))
      disk.failsAfter = undefined
      log.commit([{ key: 'later', value: new Uint8Array([1]) }])
      const again = KeyValueLog.open(disk, SMALL)
      expect(again.damage).toEqual(NO_DAMAGE)
      expect(sorted(stateOf(again))).toEqual(sorted(new Map([...now, ['later', '01']])))
    })
  )
})

test('a log whose disk has no room for rewriting its oldest values still takes a deletion', () => {
  const disk = new ModelDisk()
  const log = KeyValueLog.open(disk, { segmentBytes: 300, rewriteBytes: 10_000 })
  const put = (key: string, bytes: number): void => log.commit([{ key, value: new Uint8Array(bytes) }])
  put('kept', 250)
  for (let i = 0; i < 20 && disk.list().length < 3; i++) put('replaced', 100)
  disk.room = 150
  log.commit([{ key: 'replaced', value: undefined }])
  expect([...stateOf(log).keys()]).toEqual(['kept'])
})

test('wherever a byte is damaged, each key has a value that it once had or is gone, and the log says so', () => {
  fc.assert(
    fc.property(batches, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (all, file, at, mask) => {
      const disk = new ModelDisk()
      const states = write(disk, all)
      const names = disk.list().filter(name => disk.size(name) > 0)
      if (names.length === 0) return
      const name = names[file % names.length]!
      disk.flip(name, at % disk.size(name), mask)
      const log = KeyValueLog.open(disk, SMALL)
      const found = stateOf(log)
      const isWhole = JSON.stringify(sorted(found)) === JSON.stringify(sorted(states.at(-1)!))
      if (!isWhole) expect(log.damage.damaged).toBeGreaterThan(0)
      for (const [key, value] of found) expect(values(all, key)).toContain(value)
    }),
    { numRuns: 1_000 }
  )
})

/** Where the marks are in a segment of version 1, and of the present version, and how long they are. */
function marksIn(bytes: Uint8Array, markBytes: number): number[] {
  const all = Buffer.from(bytes)
  const header = Buffer.from([3, 0, 0, 0, markBytes - 16, 0, 0, 0])
  const found: number[] = []
  for (let at = all.indexOf(header); at >= 0; at = all.indexOf(header, at + 1)) found.push(at - 4)
  return found
}

test('a damaged byte in a mark takes no value with it, and is told if a batch follows', () => {
  const present = new ModelDisk()
  write(
    present,
    [1, 2, 3].map(i => [{ key: `key ${i}`, value: new Uint8Array([i]) }]),
    {}
  )
  const old = new ModelDisk()
  old.create('00000001.log')
  old.append('00000001.log', [OLD_SEGMENT])
  for (const [disk, markBytes, count] of [[present, 32, 6] as const, [old, 24, 4] as const]) {
    const state = sorted(stateOf(KeyValueLog.open(disk.copy())))
    const marks = marksIn(disk.files.get('00000001.log')!.bytes, markBytes)
    expect(marks).toHaveLength(count)
    for (const [i, mark] of marks.entries()) {
      for (let at = mark; at < mark + markBytes; at++) {
        const damaged = disk.copy()
        damaged.flip('00000001.log', at, 1)
        const log = KeyValueLog.open(damaged)
        expect(sorted(stateOf(log))).toEqual(state)
        // The last copy is behind the last batch, where bytes may be torn.
        expect(log.damage.damaged).toBe(i === count - 1 ? 0 : 1)
      }
    }
  }
})

test('bytes of a client that look like batches behind a mark of which one copy is left are no values', () => {
  const forger = new ModelDisk()
  write(forger, [[{ key: 'forged', value: new Uint8Array([1]) }]], {})
  const forged = forger.files.get('00000001.log')!.bytes.subarray(32)
  const disk = new ModelDisk()
  write(disk, [[{ key: 'a', value: new Uint8Array([1]) }]], {})
  // The second copy of the mark is torn off.
  disk.files.get('00000001.log')!.bytes = disk.files.get('00000001.log')!.bytes.slice(0, -32)
  const end = disk.size('00000001.log')
  const log = KeyValueLog.open(disk)
  // A frame begins right behind the mark, and the forged one where the second copy would end.
  const padding = new Uint8Array(32 - 16 - 1)
  log.commit([{ key: 'b', value: Buffer.concat([padding, forged]) }])
  log.commit([{ key: 'c', value: new Uint8Array([3]) }])
  disk.flip('00000001.log', end, 1)
  expect([...stateOf(KeyValueLog.open(disk)).keys()].sort()).toEqual(['a', 'c'])
})

test('a large value that is damaged is gone when it is read, and the log says so', () => {
  const disk = new ModelDisk()
  write(disk, [[{ key: 'large', value: new Uint8Array(10_000) }], [{ key: 'small', value: new Uint8Array(1) }]], {})
  disk.flip('00000001.log', 5_000, 1)
  const log = KeyValueLog.open(disk)
  // A long frame is checked when it is read.
  expect(log.damage.damaged).toBe(0)
  expect(sorted(stateOf(log))).toEqual([['small', '00']])
  expect(log.damage).toEqual({ damaged: 1, isCut: false })
})

test('a log is opened without reading its large values', () => {
  const disk = new ModelDisk()
  const log = KeyValueLog.open(disk)
  const large = Array.from({ length: 16 }, (_, i) => ({ key: `${i}`, value: new Uint8Array(2 ** 20).fill(i) }))
  for (const change of large) log.commit([change, { key: `small ${change.key}`, value: new Uint8Array(10) }])
  let bytes = 0
  const read = disk.read.bind(disk)
  disk.read = (name, offset, length) => {
    const found = read(name, offset, length)
    bytes += found.byteLength
    return found
  }
  const opened = KeyValueLog.open(disk)
  expect(bytes).toBeLessThan(2 ** 21)
  expect(Buffer.compare(opened.get('15')!, large[15]!.value)).toBe(0)
  expect(opened.damage).toEqual(NO_DAMAGE)
})

test('wherever a large log is damaged, its values are the same whether it is scanned in memory or on disk', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(10, 5_000, 65_000, 65_536, 200_000), { minLength: 2, maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      (sizes, damaged) => {
        const disk = new ModelDisk()
        const log = KeyValueLog.open(disk)
        for (const [i, size] of sizes.entries()) log.commit([{ key: `key ${i}`, value: new Uint8Array(size).fill(3) }])
        const name = disk.list().find(file => file.endsWith('.log'))!
        const { bytes } = disk.files.get(name)!
        for (const at of damaged) bytes[at % bytes.byteLength]! ^= 1
        const id = new Uint8Array(ID_BYTES)
        expect(scanSegment(new BytesOnDisk(disk, name), id)).toEqual(scanSegment(bytes, id))
      }
    )
  )
})

test('a damaged key of a large value takes no other key with it', () => {
  const disk = new ModelDisk()
  const value = new Uint8Array(10_000)
  write(disk, [[{ key: 'a0', value: value.fill(1) }], [{ key: 'a1', value: new Uint8Array(10_000) }]], {})
  // Turns the second key into the first one.
  const second = Buffer.from(disk.read('00000001.log', 0, disk.size('00000001.log'))).lastIndexOf('a1')
  disk.flip('00000001.log', second + 1, 1)
  const log = KeyValueLog.open(disk)
  expect([...stateOf(log).keys()]).toEqual(['a0'])
  expect(log.damage.damaged).toBeGreaterThan(0)
})

test('a log that was cut off at any offset has the batches before, and says that it is cut', () => {
  const disk = new ModelDisk()
  const all = Array.from({ length: 12 }, (_, i) => [{ key: keys[i % 3]!, value: new Uint8Array(20).fill(i) }])
  const states = write(disk, all, {}).map(state => JSON.stringify(sorted(state)))
  const [file] = disk.files.values()
  const whole = file!.bytes
  for (let size = 0; size < whole.byteLength; size++) {
    file!.bytes = whole.slice(0, size)
    const log = KeyValueLog.open(disk)
    const found = states.indexOf(JSON.stringify(sorted(stateOf(log))))
    expect(found).toBeGreaterThanOrEqual(0)
    expect(log.damage).toEqual({ damaged: 0, isCut: found < 12 })
  }
})

test('a log whose values are replaced keeps a bounded size', () => {
  const disk = new ModelDisk()
  const log = KeyValueLog.open(disk, SMALL)
  log.commit([{ key: 'old', value: new Uint8Array(10) }])
  for (let i = 0; i < 500; i++) log.commit([{ key: keys[i % 5]!, value: new Uint8Array(20).fill(i) }])
  expect(log.bytes).toBeLessThan(8 * SMALL.segmentBytes)
  expect(stateOf(KeyValueLog.open(disk, SMALL)).get('old')).toBe('00'.repeat(10))
})

test('a commit syncs once, and a second time when it begins a segment', () => {
  const disk = new ModelDisk()
  const log = KeyValueLog.open(disk)
  const syncsOf = (count: number): number => {
    const before = disk.syncs
    log.commit(Array.from({ length: count }, (_, i) => ({ key: `${i}`, value: new Uint8Array(10) })))
    return disk.syncs - before
  }
  expect([syncsOf(1), syncsOf(1), syncsOf(100)]).toEqual([2, 1, 1])
})

test('wherever the beginning of the only segment is damaged, a log has all values, and the next commits too', () => {
  for (let at = 0; at < 32; at++) {
    const disk = new ModelDisk()
    const [state] = write(disk, [[{ key: 'a', value: new Uint8Array(1) }]], {}).slice(-1)
    disk.flip('00000001.log', at, 1)
    const log = KeyValueLog.open(disk)
    expect(log.damage).toEqual({ damaged: 1, isCut: false })
    log.commit([{ key: 'b', value: new Uint8Array(1) }])
    expect(sorted(stateOf(KeyValueLog.open(disk)))).toEqual(sorted(new Map([...state!, ['b', '00']])))
  }
})

test('bytes of a client inside a value never pass for batches, whichever header is damaged', () => {
  const other = new ModelDisk()
  write(
    other,
    [1, 2, 3].map(i => [{ key: 'forged', value: new Uint8Array([i]) }]),
    {}
  )
  const forged = Buffer.concat([other.files.get('00000001.log')!.bytes, OLD_SEGMENT])
  const disk = new ModelDisk()
  const change = { key: 'true', value: forged }
  write(disk, [[change], [change]], {})
  const { bytes } = disk.files.get('00000001.log')!
  for (const last of [bytes.byteLength, bytes.byteLength - 64]) {
    for (let at = 0; at < last; at++) {
      const damaged = new ModelDisk()
      write(damaged, [[change]], {})
      damaged.files.get('00000001.log')!.bytes = bytes.slice(0, last)
      damaged.flip('00000001.log', at, 1)
      expect([...stateOf(KeyValueLog.open(damaged)).keys()].filter(key => key !== 'true')).toEqual([])
    }
  }
})

test('a log of version 1 is read, and grows in the present version', () => {
  const disk = new ModelDisk()
  for (const [name, bytes] of [['00000001.log', OLD_SEGMENT] as const, ['reached', OLD_REACHED] as const]) {
    disk.create(name)
    disk.append(name, [bytes])
  }
  const log = KeyValueLog.open(disk)
  expect(log.damage).toEqual(NO_DAMAGE)
  log.commit([{ key: 'c', value: new Uint8Array([4]) }])
  const again = KeyValueLog.open(disk)
  expect(again.damage).toEqual(NO_DAMAGE)
  expect(sorted(stateOf(again))).toEqual([
    ['a', '03'],
    ['b', '02'],
    ['c', '04']
  ])
  expect(Buffer.compare(disk.files.get('00000001.log')!.bytes, OLD_SEGMENT)).toBe(0)
})

test('a log that a newer version wrote is not read', () => {
  const disk = new ModelDisk()
  write(disk, [[{ key: 'a', value: new Uint8Array(1) }]])
  const file = disk.files.get('00000001.log')!
  const newer = Uint8Array.from(file.bytes)
  newer[15] = 3
  // The CRC-32 of the first 16 bytes.
  new DataView(newer.buffer).setUint32(16, crc32(newer.subarray(0, 16)), true)
  file.bytes = newer
  expect(() => KeyValueLog.open(disk)).toThrow(/version 3/)
})

/** What version 1 wrote for the batches `a = 1, b = 2` and `a = 3`. */
const OLD_SEGMENT = Buffer.from(
  `cDJwLXdvcmtlciBsb2cKAdAiEu3+EzXYAQEAAAEAAAAb3wWlYQHqMKjHAQEAAAEAAAChjgw8YgI2WpoeAwAAAAgAAAD334ipAQAAAAAAAAA2
   WpoeAwAAAAgAAAD334ipAQAAAAAAAAD1sv2VAQEAAAEAAAA3vgtLYQPGiARpAwAAAAgAAAAU2AcnAgAAAAAAAADGiARpAwAAAAgAAAAU2Acn
   AgAAAAAAAAA=`,
  'base64'
)
const OLD_REACHED = Buffer.from('xogEaQMAAAAIAAAAFNgHJwIAAAAAAAAAxogEaQMAAAAIAAAAFNgHJwIAAAAAAAAA', 'base64')
