import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { ContentLog, type StoreChange } from '../../../src/persistence/log/content-log.ts'
import type { Change } from '../../../src/persistence/log/frames.ts'
import { KeyValueLog } from '../../../src/persistence/log/key-value-log.ts'
import fc from '../../properties.ts'
import { randomFrom } from '../../simulation/world.ts'
import { ModelDisk } from './model-disk.ts'

const LIMITS = { segmentBytes: 400, rewriteBytes: 100 }
const PART_BYTES = 8

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (some: Uint8Array): string => new TextDecoder().decode(some)

/** Few contents of several parts, so that many values name the same one. */
const content = fc.constantFrom('', 'ab', 'abcdefgh', 'abcdefghi', 'x'.repeat(40), 'y'.repeat(100)).map(bytes)
const change: fc.Arbitrary<StoreChange> = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  value: fc.option(fc.uint8Array({ maxLength: 5 }), { nil: undefined }),
  contents: fc.array(content, { maxLength: 3 })
})
const batch = fc.uniqueArray(change, { selector: ({ key }) => key, minLength: 1, maxLength: 3 })
const batches = fc.array(batch, { maxLength: 20 })

type State = Record<string, { value: string; contents: string[] }>

function after(state: State, changes: readonly StoreChange[]): State {
  const next = { ...state }
  for (const { key, value, contents = [] } of changes) {
    if (value === undefined) delete next[key]
    else next[key] = { value: text(value), contents: contents.map(text) }
  }
  return next
}

function normal(changes: readonly StoreChange[]): StoreChange[] {
  return changes.map(each => (each.value === undefined ? { key: each.key, value: undefined } : each))
}

function stateOf(log: ContentLog): State {
  const state: State = {}
  for (const key of log.keys()) {
    const { value, contents } = log.get(key)!
    state[key] = { value: text(value), contents: contents.map(text) }
  }
  return state
}

/** Expects that the log holds each content that a value names once, and no other. */
function expectNoWaste(disk: ModelDisk, state: State): void {
  const log = KeyValueLog.open(disk, LIMITS)
  const named = new Set(Object.values(state).flatMap(({ contents }) => contents))
  const parts = [...named].reduce((sum, each) => sum + Math.ceil(each.length / PART_BYTES), 0)
  expect([...log.keys()].filter(key => key.startsWith('c/'))).toHaveLength(parts)
}

function open(disk: ModelDisk): ContentLog {
  return new ContentLog(KeyValueLog.open(disk, LIMITS), PART_BYTES)
}

test('a log that is opened again has all values with their contents, and each content once', () => {
  fc.assert(
    fc.property(batches, all => {
      const disk = new ModelDisk()
      const log = open(disk)
      let state: State = {}
      for (const changes of all) {
        log.commit(normal(changes))
        state = after(state, changes)
        expect(stateOf(log)).toEqual(state)
      }
      expect(stateOf(open(disk))).toEqual(state)
      expectNoWaste(disk, state)
    })
  )
})

test('after a power cut each value has its contents, and the next commit removes contents that no value names', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(batches, fc.nat(20)), { minLength: 1, maxLength: 5 }), fc.nat(), (runs, seed) => {
      const disk = new ModelDisk()
      const random = randomFrom(seed)
      const draw = (below: number): number => Math.floor(random() * below)
      let state: State = {}
      for (const [all, failsAfter] of runs) {
        const log = open(disk)
        let pending: State | undefined
        for (const [i, changes] of all.entries()) {
          if (i === all.length - 1) disk.failsAfter = failsAfter
          const next = after(state, changes)
          try {
            log.commit(normal(changes))
            state = next
          } catch {
            pending = next
          }
        }
        disk.cutPower(draw)
        const again = open(disk)
        const found = stateOf(again)
        if (pending !== undefined && isDeepStrictEqual(found, pending)) state = pending
        expect(found).toEqual(state)
        again.commit([])
        expectNoWaste(disk, state)
      }
    }),
    { numRuns: 300 }
  )
})

test('a commit that failed can be repeated, and writes no content twice', () => {
  fc.assert(
    fc.property(batches, batch, fc.nat(20), (all, last, failsAfter) => {
      const disk = new ModelDisk()
      const log = open(disk)
      for (const changes of all) log.commit(normal(changes))
      const state = after(stateOf(log), last)
      disk.failsAfter = failsAfter
      try {
        log.commit(normal(last))
      } catch {}
      disk.failsAfter = undefined
      log.commit(normal(last))
      expect(stateOf(log)).toEqual(state)
      expect(stateOf(open(disk))).toEqual(state)
      expectNoWaste(disk, state)
    })
  )
})

test('small changes are committed between the parts of a large content', () => {
  const disk = new ModelDisk()
  const log = open(disk)
  const large = bytes(Array.from({ length: 100 }, (_, i) => `part ${i}.`).join(''))
  const waiting: Change[][] = ['1', '2', '3'].map(key => [{ key, value: bytes(key) }])
  const committed: number[] = []
  log.commit([{ key: 'a', value: bytes(''), contents: [large] }], () => {
    committed.push(disk.syncs)
    return waiting.shift() ?? []
  })
  // Each of the first three commits took one of them.
  expect(committed.length).toBeGreaterThan(10)
  expect(waiting).toEqual([])
  const again = KeyValueLog.open(disk, LIMITS)
  expect(['1', '2', '3'].map(key => text(again.get(key)!))).toEqual(['1', '2', '3'])
})

test('a value of which a part is damaged is gone, and others that name the same content are too', () => {
  const disk = new ModelDisk()
  const log = new ContentLog(KeyValueLog.open(disk), 2 ** 20)
  const large = new Uint8Array(5_000).fill(7)
  log.commit([
    { key: 'a', value: bytes(''), contents: [large] },
    { key: 'b', value: bytes(''), contents: [large, bytes('whole')] },
    { key: 'c', value: bytes(''), contents: [bytes('whole')] }
  ])
  const [name] = disk.list()
  disk.flip(name!, 2_000, 1)
  const again = new ContentLog(KeyValueLog.open(disk), 2 ** 20)
  expect(['a', 'b', 'c'].filter(key => again.get(key) !== undefined)).toEqual(['c'])
  again.commit([{ key: 'a', value: bytes(''), contents: [large] }])
  expect(again.get('a')?.contents).toEqual([large])
  expect(again.get('b')?.contents).toEqual([large, bytes('whole')])
})
