import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ContentLog } from '../../../src/persistence/log/content-log.ts'
import { FolderDisk, type LogDisk } from '../../../src/persistence/log/disk.ts'
import { KeyValueLog, type LogDamage } from '../../../src/persistence/log/key-value-log.ts'
import { randomFrom } from '../../simulation/world.ts'
import { ModelDisk } from './model-disk.ts'
import { RecordedDisk } from './recorded-disk.ts'

const CUTS = 1_000
/** One in so many is opened on the file system, and the others in memory. */
const ON_FILES = 20
const LIMITS = { segmentBytes: 20_000, rewriteBytes: 5_000 }
const PART_BYTES = 1_000
const JOBS = 8
const COMMITS = 250
const MARK_BYTES = 32

/** The size of the value, and of the content, by key. */
type State = Record<string, string>

let folder: string
let recorded: RecordedDisk
/** What was acknowledged, and after how many steps. The first is before all. */
const acknowledged: { state: State; steps: number }[] = [{ state: {}, steps: 0 }]

const random = randomFrom(1)
const draw = (below: number): number => Math.floor(random() * below)

/** Writes jobs as a peer does: with code that all have, checkpoints that grow, and a tombstone at the end. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'p2p-worker-log-'))
  recorded = new RecordedDisk(folder)
  const log = new ContentLog(KeyValueLog.open(recorded, LIMITS), PART_BYTES)
  const code = new Uint8Array(2_500).fill(1)
  let state: State = {}
  for (let i = 1; i <= COMMITS; i++) {
    const key = `job ${draw(JOBS)}`
    const value = draw(4) === 0 ? undefined : new Uint8Array(4).fill(i)
    const checkpoint = new Uint8Array(draw(6_000)).fill(i)
    const contents = [
      { id: 1, bytes: code },
      { id: i + 1, bytes: checkpoint }
    ]
    for (const _ of log.commitInSteps([{ key, value, contents: value === undefined ? [] : contents }]));
    const { [key]: _, ...others } = state
    state = value === undefined ? others : { ...others, [key]: `${i % 256} ${checkpoint.byteLength}` }
    acknowledged.push({ state, steps: recorded.steps.length })
  }
  recorded.close()
})

afterAll(() => rmSync(folder, { recursive: true }))

function opened(disk: LogDisk): { state: State; damage: LogDamage } {
  const log = KeyValueLog.open(disk, LIMITS)
  const contents = new ContentLog(log, PART_BYTES)
  const state: State = {}
  for (const key of contents.keys()) {
    const stored = contents.get(key)
    if (stored !== undefined) state[key] = `${stored.value[0]} ${stored.contents[1]!.byteLength}`
  }
  contents.commit([{ key: 'next', value: new Uint8Array(1) }])
  return { state, damage: log.damage }
}

/** Opens what a disk holds on the file system. */
function openedOnFiles(files: Iterable<[string, Uint8Array]>): { state: State; damage: LogDamage } {
  const copy = mkdtempSync(join(tmpdir(), 'p2p-worker-log-'))
  const disk = new FolderDisk(copy)
  try {
    for (const [name, bytes] of files) writeFileSync(join(copy, name), bytes)
    return opened(disk)
  } finally {
    disk.close()
    rmSync(copy, { recursive: true })
  }
}

test('wherever the power is cut, a log has all that was acknowledged, and is not damaged', () => {
  const disk = new ModelDisk()
  const { steps } = recorded
  let done = 0
  let last = 0
  for (let cut = 1; cut <= CUTS; cut++) {
    const until = Math.floor((steps.length * cut) / CUTS)
    while (done < until) steps[done++]!(disk)
    while (last < COMMITS && acknowledged[last + 1]!.steps <= done) last += 1
    const after = disk.copy()
    after.cutPower(draw)
    const files = [...after.files].map(([name, { bytes }]): [string, Uint8Array] => [name, bytes])
    const { state, damage } = cut % ON_FILES === 0 ? openedOnFiles(files) : opened(after)
    const isWhole = acknowledged.slice(last, last + 2).some(({ state: expected }) => isDeepStrictEqual(state, expected))
    expect({ cut, isWhole, damage }).toEqual({ cut, isWhole: true, damage: { damaged: 0, isCut: false } })
  }
})

test('a log whose files are cut off before their last sync opens with jobs that it once had, and says what is wrong', () => {
  const files = new Map(readdirSync(folder).map(name => [name, readFileSync(join(folder, name))]))
  const names = [...files.keys()].sort()
  const newest = names.findLast(name => name.endsWith('.log'))!
  const { state: whole } = acknowledged.at(-1)!
  const once = new Set(acknowledged.flatMap(({ state }) => Object.entries(state).map(String)))
  for (let cut = 0; cut < CUTS; cut++) {
    const name = names[cut % names.length]!
    const bytes = files.get(name)!
    const size = draw(bytes.byteLength)
    const rest = [...new Map([...files, [name, bytes.subarray(0, size)]])]
    const disk = new ModelDisk()
    for (const [name, bytes] of rest) disk.files.set(name, { bytes, synced: bytes, isNamed: true })
    const { state, damage } = cut % ON_FILES === 0 ? openedOnFiles(rest) : opened(disk)
    // Each mark is written twice.
    const isCut = size < bytes.byteLength - MARK_BYTES
    if (name === newest) expect({ name, size, ...damage }).toEqual({ name, size, damaged: 0, isCut })
    else if (name === 'reached')
      expect({ state, damage }).toEqual({ state: whole, damage: { damaged: 0, isCut: false } })
    else expect({ name, size, isSaid: damage.damaged > 0 }).toEqual({ name, size, isSaid: true })
    for (const entry of Object.entries(state)) expect(once).toContain(String(entry))
  }
})
