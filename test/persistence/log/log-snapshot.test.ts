import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ContentLog } from '../../../src/persistence/log/content-log.ts'
import { FolderDisk } from '../../../src/persistence/log/disk.ts'
import { DurableLog } from '../../../src/persistence/log/durable-log.ts'
import { KeyValueLog } from '../../../src/persistence/log/key-value-log.ts'
import { LogSnapshot } from '../../../src/persistence/log/log-snapshot.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const keys = Array.from({ length: 20 }, (_, i) => `key ${i}`)

function fill(log: KeyValueLog, round: number): void {
  for (const key of keys) log.commit([{ key, value: Buffer.alloc(5_000, round) }])
}

test('a snapshot has the values of its moment, although the log has replaced them and removed their files since', () => {
  const disk = new FolderDisk(folder)
  const log = KeyValueLog.open(disk)
  fill(log, 1)
  const snapshot = LogSnapshot.open(folder)
  try {
    for (let round = 2; round < 10; round++) fill(log, round)
    const files = readdirSync(folder)
    expect(snapshot.segments().some(name => !files.includes(name))).toBe(true)

    const then = KeyValueLog.open(snapshot)
    expect(then.damage).toEqual({ damaged: 0, isCut: false })
    for (const key of keys) expect(then.get(key)?.[0]).toBe(1)
    expect(readdirSync(folder)).toEqual(files)
    for (const key of keys) expect(log.get(key)?.[0]).toBe(9)
  } finally {
    snapshot.close()
    log.close()
  }
})

test('a snapshot of a log that another thread writes all the time has all values of one moment', async () => {
  const log = await DurableLog.open(folder)
  let round = 0
  let isOver = false
  let first = (): void => {}
  const begun = new Promise<void>(resolve => {
    first = resolve
  })
  const turn = (): void => {
    if (isOver) return
    round += 1
    if (round === 2) first()
    // One commit for all keys: a snapshot has all of its values, or none of them.
    log.write(
      keys.map(key => ({ key, value: Buffer.alloc(5_000, round % 256) })),
      turn
    )
  }
  turn()
  await begun
  try {
    const before = round
    for (let i = 0; i < 30; i++) {
      const snapshot = LogSnapshot.open(folder)
      const then = KeyValueLog.open(snapshot)
      expect(then.damage).toEqual({ damaged: 0, isCut: false })
      const values = new ContentLog(then)
      const found = new Set(keys.map(key => values.get(key)?.value[0]))
      expect([...found]).toEqual([expect.any(Number)])
      snapshot.close()
      await new Promise(resolve => setImmediate(resolve))
    }
    expect(round).toBeGreaterThan(before)
  } finally {
    isOver = true
    await log.close()
  }
})
