import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FolderDisk } from '../../../src/persistence/log/disk.ts'
import { KeyValueLog } from '../../../src/persistence/log/key-value-log.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p2p-worker-log-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function opened(use: (log: KeyValueLog) => void): void {
  const disk = new FolderDisk(folder)
  const log = KeyValueLog.open(disk, { segmentBytes: 10_000 })
  try {
    expect(log.damage).toEqual({ damaged: 0, isCut: false })
    use(log)
  } finally {
    log.close()
  }
}

test('a log in a folder has all values after it is opened again, and files for little more than them', () => {
  for (let run = 0; run < 10; run++)
    opened(log => {
      for (let i = 0; i < 50; i++) log.commit([{ key: `${i}`, value: new Uint8Array(200).fill(run) }])
      expect(log.bytes).toBeLessThan(50_000)
    })
  opened(log => {
    expect([...log.keys()]).toHaveLength(50)
    for (const key of log.keys()) expect(log.get(key)).toEqual(new Uint8Array(200).fill(9))
  })
})

test('a value in a log may be larger than a segment, and a batch may have thousands of changes', () => {
  const large = new Uint8Array(3_000_000).fill(7)
  opened(log => {
    log.commit([{ key: 'large', value: large }])
    log.commit(Array.from({ length: 5_000 }, (_, i) => ({ key: `${i}`, value: new Uint8Array([i % 256]) })))
  })
  opened(log => {
    expect(Buffer.compare(log.get('large')!, large)).toBe(0)
    expect(log.get('4999')).toEqual(new Uint8Array([4_999 % 256]))
  })
})
