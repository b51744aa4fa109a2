import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { LogChange } from '../../../src/persistence/log/batch.ts'
import { ContentLog } from '../../../src/persistence/log/content-log.ts'
import { KeyValueLog } from '../../../src/persistence/log/key-value-log.ts'
import { SentContents } from '../../../src/persistence/log/sent-contents.ts'
import fc from '../../properties.ts'
import { randomFrom } from '../../simulation/world.ts'
import { ModelDisk } from './model-disk.ts'

const LIMITS = { segmentBytes: 400, rewriteBytes: 100 }
const PART_BYTES = 8

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (some: Uint8Array): string => new TextDecoder().decode(some)

/** Few contents of several parts, so that many values name the same one. */
const content = fc.constantFrom(
  ...['', 'ab', 'ab', 'abcdefgh', 'abcdefghi', 'x'.repeat(40), 'y'.repeat(100)].map(bytes)
)
const change: fc.Arbitrary<LogChange> = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  value: fc.option(fc.uint8Array({ maxLength: 5 }), { nil: undefined }),
  contents: fc.array(content, { maxLength: 3 })
})
const batch = fc.uniqueArray(change, { selector: ({ key }) => key, minLength: 1, maxLength: 3 })
const batches = fc.array(batch, { maxLength: 20 })

type State = Record<string, { value: string; contents: string[] }>

function after(state: State, changes: readonly LogChange[]): State {
  const next = { ...state }
  for (const { key, value, contents = [] } of changes) {
    if (value === undefined) delete next[key]
    else next[key] = { value: text(value), contents: contents.map(text) }
  }
  return next
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

/** A log, and what sends contents to it as the main thread does. */
interface Opened {
  log: ContentLog
  /** Calls `between` after each step but the last one. */
  commit(changes: readonly LogChange[], between?: () => void): void
}

function open(disk: ModelDisk): Opened {
  const log = new ContentLog(KeyValueLog.open(disk, LIMITS), PART_BYTES)
  const sent = new SentContents()
  return {
    log,
    commit(changes, between = () => {}) {
      const whole = changes.map(({ key, value, contents = [] }) => ({
        key,
        value,
        contents: value === undefined ? [] : contents
      }))
      const messages = whole.map(change => ({
        ...change,
        contents: sent.toSend(change, [])
      }))
      log.forget(sent.takeForgotten())
      for (const _ of log.commitInSteps(messages)) between()
      sent.written(new Map(whole.map(change => [change.key, change])))
    }
  }
}

test('a log that is opened again has all values with their contents, and each content once', () => {
  fc.assert(
    fc.property(batches, all => {
      const disk = new ModelDisk()
      const { log, commit } = open(disk)
      let state: State = {}
      for (const changes of all) {
        commit(changes)
        state = after(state, changes)
        expect(stateOf(log)).toEqual(state)
      }
      expect(stateOf(open(disk).log)).toEqual(state)
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
        const { commit } = open(disk)
        let pending: State | undefined
        for (const [i, changes] of all.entries()) {
          if (i === all.length - 1) disk.failsAfter = failsAfter
          const next = after(state, changes)
          try {
            commit(changes)
            state = next
          } catch {
            pending = next
          }
        }
        disk.cutPower(draw)
        const again = open(disk)
        const found = stateOf(again.log)
        if (pending !== undefined && isDeepStrictEqual(found, pending)) state = pending
        expect(found).toEqual(state)
        again.commit([])
        expectNoWaste(disk, state)
      }
    }),
    { numRuns: 300 }
  )
})

test('a commit that failed can be repeated or replaced by another one, and leaves no content behind', () => {
  fc.assert(
    fc.property(batches, batch, batch, fc.nat(20), fc.boolean(), (all, last, other, failsAfter, isRepeated) => {
      const disk = new ModelDisk()
      const { log, commit } = open(disk)
      for (const changes of all) commit(changes)
      let state = stateOf(log)
      disk.failsAfter = failsAfter
      try {
        commit(last)
        state = after(state, last)
      } catch {}
      disk.failsAfter = undefined
      const next = isRepeated ? last : other
      commit(next)
      state = after(state, next)
      expect(stateOf(log)).toEqual(state)
      expect(stateOf(open(disk).log)).toEqual(state)
      expectNoWaste(disk, state)
    }),
    { numRuns: 300 }
  )
})

test('a content that the value of a key names already is not sent again with this key', () => {
  const sent = new SentContents()
  const [a, b] = [bytes('a'), bytes('b')]
  const isSent = (key: string, content: Uint8Array): boolean =>
    sent.toSend({ key, contents: [content] }, [])[0]!.bytes !== undefined
  const write = (key: string, ...contents: Uint8Array[]): void => sent.written(new Map([[key, { key, contents }]]))
  expect([isSent('first', a), isSent('first', a)]).toEqual([true, true])
  write('first', a, b)
  write('second', a)
  expect([isSent('first', a), isSent('first', b), isSent('first', bytes('a'))]).toEqual([false, false, true])
  expect([isSent('second', a), isSent('second', b)]).toEqual([false, true])
  expect(sent.bytesToSend({ key: 'second', contents: [a, b] })).toBe(1)
  write('first', b)
  write('second')
  expect([isSent('first', a), isSent('first', b)]).toEqual([true, false])
  expect([sent.takeForgotten().length, sent.takeForgotten().length]).toEqual([1, 0])
})

test('changes of other keys are committed between the steps of a large one, and take no content from it', () => {
  const isOther = ({ key }: LogChange): boolean => key !== 'a'
  fc.assert(
    fc.property(batch, fc.array(batch, { maxLength: 20 }), fc.nat(40), (before, others, failsAfter) => {
      const disk = new ModelDisk()
      const { log, commit } = open(disk)
      commit(before)
      const waiting = others.map(changes => changes.filter(isOther)).filter(changes => changes.length > 0)
      const large = [{ key: 'a', value: bytes('large'), contents: ['y'.repeat(100), 'abcdefghi'].map(bytes) }]
      let state = stateOf(log)
      const between = (): void => {
        const changes = waiting.shift()
        if (changes === undefined) return
        commit(changes)
        state = after(state, changes)
      }
      disk.failsAfter = failsAfter
      try {
        commit(large, between)
        state = after(state, large)
      } catch {}
      disk.failsAfter = undefined
      expect(stateOf(log)).toEqual(state)
      commit([{ key: 'e', value: undefined }])
      expect(stateOf(open(disk).log)).toEqual(state)
      expectNoWaste(disk, state)
    }),
    { numRuns: 300 }
  )
})

test('a value of which a part is damaged is gone, and others that name the same content are too', () => {
  const disk = new ModelDisk()
  const log = new ContentLog(KeyValueLog.open(disk), 2 ** 20)
  const large = new Uint8Array(5_000).fill(7)
  log.commit([
    { key: 'a', value: bytes(''), contents: [{ id: 1, bytes: large }] },
    { key: 'b', value: bytes(''), contents: [{ id: 1 }, { id: 2, bytes: bytes('whole') }] },
    { key: 'c', value: bytes(''), contents: [{ id: 3, bytes: bytes('whole') }] }
  ])
  const [name] = disk.list()
  disk.flip(name!, 2_000, 1)
  const again = new ContentLog(KeyValueLog.open(disk), 2 ** 20)
  expect(['a', 'b', 'c'].filter(key => again.get(key) !== undefined)).toEqual(['c'])
  again.commit([{ key: 'a', value: bytes(''), contents: [{ id: 1, bytes: large }] }])
  expect(again.get('a')?.contents).toEqual([large])
  expect(again.get('b')?.contents).toEqual([large, bytes('whole')])
})
