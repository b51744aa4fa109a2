import { describe, expect, it } from 'vitest'
import { keyOfLoss, LOSSES, URGENT } from '../../../src/persistence/log/damage-note.ts'
import { KeyValueLog, markAsCut } from '../../../src/persistence/log/key-value-log.ts'
import { ModelDisk } from './model-disk.ts'

const SMALL = { segmentBytes: 300, rewriteBytes: 100 }
const lossKeys = LOSSES.map(loss => URGENT + keyOfLoss(loss))
const value = new Uint8Array(20)

/** A disk with three commits of small values. */
function written(): ModelDisk {
  const disk = new ModelDisk()
  const log = KeyValueLog.open(disk, SMALL)
  for (const key of ['a', 'b', 'c']) log.commit([{ key, value }])
  return disk
}

const open = (disk: ModelDisk): KeyValueLog => KeyValueLog.open(disk, SMALL)
const isMarked = (log: KeyValueLog): boolean => lossKeys.every(key => log.has(key))

/** Damages the value of the first key. */
function damage(disk: ModelDisk, key = 'a'): void {
  const name = disk.list().find(name => name.endsWith('.log') && indexIn(disk, name, key) >= 0)!
  disk.flip(name, indexIn(disk, name, key) + 5, 1)
}

function indexIn(disk: ModelDisk, name: string, key: string): number {
  const bytes = Buffer.from(disk.read(name, 0, disk.size(name)))
  return bytes.indexOf(Buffer.concat([Buffer.from(key), value]))
}

describe('a log that has lost something', () => {
  it('marks the loss in the next commit, and the mark stays until it is removed', () => {
    const disk = written()
    damage(disk)
    const log = open(disk)
    expect([log.hasNewDamage, isMarked(log)]).toEqual([true, false])
    log.commit([{ key: 'd', value }])
    expect(isMarked(log)).toBe(true)
    const again = open(disk)
    expect([again.hasNewDamage, isMarked(again)]).toEqual([false, true])
  })

  it('does not mark the same damage again after the mark was removed', () => {
    const disk = written()
    damage(disk)
    const log = open(disk)
    log.commit([{ key: 'd', value }])
    log.commit(lossKeys.map(key => ({ key, value: undefined })))
    const again = open(disk)
    expect(again.damage.damaged).toBeGreaterThan(0)
    expect([again.hasNewDamage, isMarked(again)]).toEqual([false, false])
  })

  it('marks other damage in the same file as new', () => {
    const disk = written()
    damage(disk)
    const log = open(disk)
    log.commit([{ key: 'd', value }])
    log.commit(lossKeys.map(key => ({ key, value: undefined })))
    damage(disk, 'b')
    expect(open(disk).hasNewDamage).toBe(true)
  })

  it('marks that its end is missing, which the next commit hides', () => {
    const disk = written()
    markAsCut(disk)
    const log = open(disk)
    expect([log.damage.isCut, log.hasNewDamage]).toEqual([true, true])
    log.commit([{ key: 'd', value }])
    const again = open(disk)
    expect([again.damage.isCut, again.hasNewDamage, isMarked(again)]).toEqual([false, false, true])
  })

  it('marks a large value that turns out to be damaged when it is read', () => {
    const disk = new ModelDisk()
    KeyValueLog.open(disk).commit([{ key: 'large', value: new Uint8Array(10_000) }])
    disk.flip('00000001.log', 5_000, 1)
    const log = KeyValueLog.open(disk)
    expect(log.hasNewDamage).toBe(false)
    expect(log.get('large')).toBe(undefined)
    log.commit([{ key: 'large', value: undefined }])
    expect(isMarked(KeyValueLog.open(disk))).toBe(true)
  })

  it('has lost nothing if only a write that did not end is torn', () => {
    const disk = written()
    const log = open(disk)
    disk.failsAfter = 0
    expect(() => log.commit([{ key: 'd', value }])).toThrow()
    disk.failsAfter = undefined
    expect(open(disk).hasNewDamage).toBe(false)
  })
})
