import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { arePending, filled } from '../../../src/lib/pending-bytes.ts'
import type { Stored } from '../../../src/persistence/log/content-log.ts'
import { DurableLog } from '../../../src/persistence/log/durable-log.ts'

const MODULE = new URL('../../../dist/persistence/log/durable-log.js', import.meta.url)

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p2p-worker-log-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Returns all values of the log. */
async function valuesIn(path = folder): Promise<Map<string, Uint8Array>> {
  const log = await DurableLog.open(path)
  try {
    const values = new Map<string, Uint8Array>()
    for await (const some of log.values())
      for (const [key, { value, contents }] of some) values.set(key, contents[0] ?? value)
    expect(log.damage).toEqual({ damaged: 0, isCut: false })
    for (const [key, value] of log.urgent) values.set(`urgent ${key}`, value)
    return values
  } finally {
    await log.close()
  }
}

const bytes = (...values: number[]): Uint8Array => new Uint8Array(values)

test('what a log has written is there when it is opened again', async () => {
  const log = await DurableLog.open(folder)
  const order: string[] = []
  let syncs = 0
  log.onSync = () => {
    syncs += 1
  }
  await new Promise<void>(resolve => {
    log.write([{ key: 'a', value: bytes(1) }], () => order.push('first'))
    log.write([{ key: 'b', value: bytes(2) }])
    log.write([{ key: 'a', value: undefined }], () => {
      order.push('last')
      resolve()
    })
  })
  expect(order).toEqual(['first', 'last'])
  // One turn of the event loop is one commit.
  expect(syncs).toBe(1)
  const large = new Uint8Array(9_000_001).fill(3).subarray(1)
  log.write([{ key: 'c', value: bytes(), contents: [large] }])
  log.write([{ key: 'd', value: bytes(), contents: [large] }])
  log.writeUrgent([{ key: 'a', value: bytes(4) }])
  await log.close()
  expect(log.sizes.liveBytes).toBeLessThan(10_000_000)
  const values = await valuesIn()
  expect([...values.keys()].sort()).toEqual(['b', 'c', 'd', 'urgent a'])
  expect(Buffer.compare(values.get('d')!, large)).toBe(0)
  expect(values.get('c')?.byteLength).toBe(9_000_000)
})

test('a content of an earlier process is read once, and is not sent to the disk again with the next value of its key', async () => {
  const before = await DurableLog.open(folder)
  const large = new Uint8Array(3_000_000).fill(3)
  before.write(['a', 'b'].map(key => ({ key, value: bytes(1), contents: [large] })))
  await before.close()
  const log = await DurableLog.open(folder)
  const found = new Map<string, Stored>()
  for await (const some of log.values()) for (const [key, stored] of some) found.set(key, stored)
  const [content] = found.get('a')!.contents as [Uint8Array]
  expect(found.get('b')!.contents[0]).toBe(content)
  const order: string[] = []
  await new Promise<void>(resolve => {
    // Bytes that were sent would make it a large change, which others do not wait for.
    log.write([{ key: 'a', value: bytes(2), contents: [content] }], () => order.push('a'))
    log.write([{ key: 'c', value: bytes(1) }], () => {
      order.push('c')
      resolve()
    })
  })
  expect(order).toEqual(['a', 'c'])
  log.write([{ key: 'b', value: undefined }])
  await log.close()
  const values = await valuesIn()
  expect(Buffer.compare(values.get('a')!, large)).toBe(0)
  expect([...values.keys()].sort()).toEqual(['a', 'c'])
})

/** Writes large contents under `later/` keys, and returns the folder opened again with the values that were read. */
async function openedLater(contents: Record<string, Uint8Array>, damage = (): void => {}) {
  const before = await DurableLog.open(folder)
  for (const [key, content] of Object.entries(contents))
    before.write([{ key: `later/${key}`, value: bytes(1), contents: [content] }])
  await before.close()
  damage()
  const log = await DurableLog.open(folder)
  const found = new Map<string, Uint8Array>()
  for await (const some of log.values('later/')) for (const [key, stored] of some) found.set(key, stored.contents[0]!)
  return { log, found }
}

test('a large content is read when it is needed, also after its value was replaced', async () => {
  const large = new Uint8Array(3_000_000).fill(3)
  const { log, found } = await openedLater({ large, small: bytes(5) })
  expect([...found.get('later/small')!]).toEqual([5])
  const content = found.get('later/large')!
  expect([content.byteLength, content[0], arePending(content)]).toEqual([3_000_000, 0, true])
  log.write([{ key: 'later/large', value: bytes(2), contents: [content] }])
  await new Promise<void>(resolve => log.afterWrites(resolve))
  await filled(content)
  expect(Buffer.compare(content, large)).toBe(0)
  await log.close()
})

test('a large content that is damaged is missed before it is needed', async () => {
  const damage = (): void => {
    const file = join(folder, '00000001.log')
    const log = readFileSync(file)
    log[1_500_000]! ^= 1
    writeFileSync(file, log)
  }
  const contents = { damaged: new Uint8Array(3_000_000).fill(3), whole: new Uint8Array(3_000_000).fill(4) }
  const { log, found } = await openedLater(contents, damage)
  expect([...found.keys()]).toEqual(['later/whole'])
  expect(log.damage.damaged).toBe(1)
  await filled(found.get('later/whole')!)
  await log.close()
})

test('a large content is read although the log has rewritten the file that it was in', async () => {
  const large = new Uint8Array(100_000).fill(3)
  const { log, found } = await openedLater({ large })
  const first = join(folder, '00000001.log')
  expect(existsSync(first)).toBe(true)
  for (let i = 0; existsSync(first); i++) {
    log.write([{ key: 'other', value: new Uint8Array(70_000).fill(i) }])
    await new Promise<void>(resolve => log.afterWrites(resolve))
  }
  const content = found.get('later/large')!
  expect(arePending(content)).toBe(true)
  await filled(content)
  expect(Buffer.compare(content, large)).toBe(0)
  await log.close()
})

test('a content that was not read yet is written under another key, and no zeros if it was removed before', async () => {
  const contents = { large: new Uint8Array(100_000).fill(3), other: new Uint8Array(100_000).fill(4) }
  const { log, found } = await openedLater(contents)
  log.write([{ key: 'copy', value: bytes(1), contents: [found.get('later/large')!] }])
  log.write([{ key: 'later/other', value: undefined }])
  await new Promise<void>(resolve => log.afterWrites(resolve))
  // The thread forgets a content with the write after its removal.
  const failing = new Promise<Error | undefined>(resolve => log.onFailure((_, failure) => resolve(failure)))
  log.write([{ key: 'copy of other', value: bytes(1), contents: [found.get('later/other')!] }])
  expect((await failing)?.message).toMatch('is not known')
  await log.close()
  const values = await valuesIn()
  expect(Buffer.compare(values.get('copy')!, contents.large)).toBe(0)
  expect(values.has('copy of other')).toBe(false)
})

test('a content that no value names any more cannot be read, and neither can one of a log that is closed', async () => {
  const contents = { a: new Uint8Array(100_000).fill(3), b: new Uint8Array(100_000).fill(4) }
  const { log, found } = await openedLater(contents)
  log.write([{ key: 'later/a', value: undefined }])
  await new Promise<void>(resolve => log.afterWrites(resolve))
  await expect(filled(found.get('later/a')!)).rejects.toThrow('was removed')
  await log.close()
  await expect(filled(found.get('later/b')!)).rejects.toThrow('closed')
})

test('small changes are on disk before a large one that was given earlier, and the changes of each key in their order', async () => {
  const log = await DurableLog.open(folder)
  const order: string[] = []
  const large = [new Uint8Array(40_000_000).fill(1)]
  const done = (what: string) => () => order.push(what)
  log.write([{ key: 'a', value: bytes(1) }], done('a before'))
  log.write([{ key: 'a', value: bytes(2), contents: large }], done('a large'))
  log.write([{ key: 'a', value: bytes(3), contents: large }])
  log.write([{ key: 'b', value: bytes(1) }], done('b'))
  log.afterWrites(done('b alone'), ['b'])
  log.afterWrites(done('all'))
  await new Promise<void>(resolve => log.afterWrites(resolve, ['b']))
  log.write([{ key: 'a', value: bytes(4) }], done('a after'))
  log.write([{ key: 'c', value: bytes(1) }], done('c'))
  await log.close()
  expect(order).toEqual(['a before', 'b', 'b alone', 'c', 'a large', 'all', 'a after'])
  const values = await valuesIn()
  expect([...values].sort()).toEqual(['a', 'b', 'c'].map(key => [key, bytes(key === 'a' ? 4 : 1)]))
})

test('a process that is killed while it writes has lost nothing that it was told is on disk', async () => {
  const program = `
    import { DurableLog } from '${MODULE}'
    const log = await DurableLog.open(process.argv[1])
    const write = i => log.write([{ key: String(i), value: new Uint8Array(1_000) }], () => {
      console.log(i)
      write(i + 4)
    })
    for (let i = 0; i < 4; i++) write(i)`
  const args = ['--input-type=module', '-e', program, folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const told: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(line)
    if (told.length === 40) child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
  const values = await valuesIn()
  for (const key of told) expect(values.has(key)).toBe(true)
})

test('a log in a folder that cannot be made is refused', async () => {
  await expect(DurableLog.open(join(folder, 'missing', 'log'))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('a write that the disk does not take is repeated until it does, together with what was written since', async () => {
  const log = await DurableLog.open(folder)
  const told: [string, string | undefined][] = []
  log.onFailure((lane, failure) => told.push([lane, failure?.message.slice(0, 6)]))
  // A folder in place of the first file makes the writes fail, even for root.
  mkdirSync(join(folder, '00000001.log'))
  const done: string[] = []
  const failed = new Promise<void>(resolve => {
    const removeListener = log.onFailure(() => {
      removeListener()
      resolve()
    })
  })
  log.write([{ key: 'a', value: bytes(1), contents: [new Uint8Array(1_000)] }], () => done.push('a'))
  await failed
  expect(log.failure('bulk')).toBeInstanceOf(Error)
  expect(done).toEqual([])
  rmSync(join(folder, '00000001.log'), { recursive: true })
  // The large change waits for the earlier change of this key, whose lane fails.
  log.write([{ key: 'a', value: bytes(3), contents: [new Uint8Array(2_000_000)] }])
  await new Promise<void>(resolve => log.write([{ key: 'b', value: bytes(2) }], resolve))
  expect(done).toEqual(['a'])
  await log.close()
  expect(told).toEqual([
    ['bulk', 'EEXIST'],
    ['large', 'EEXIST'],
    ['bulk', undefined],
    ['large', undefined]
  ])
  const values = await valuesIn()
  expect([values.get('a')?.byteLength, values.get('b')]).toEqual([2_000_000, bytes(2)])
})

test('large changes that wait for a lane that fails count as failing with it, whichever of them was given first', async () => {
  const log = await DurableLog.open(folder)
  const large = () => [new Uint8Array(2_000_000)]
  mkdirSync(join(folder, '00000001.log'))
  const told: string[] = []
  const failed = new Promise<void>(resolve => {
    log.onFailure((lane, failure) => {
      told.push(`${lane} ${failure === undefined ? 'works' : 'fails'}`)
      if (lane === 'bulk') resolve()
    })
  })
  log.write([{ key: 'a', value: bytes(1) }])
  await failed
  log.write([{ key: 'b', value: bytes(2), contents: large() }])
  expect(told).toEqual(['bulk fails'])
  log.write([{ key: 'a', value: bytes(3), contents: large() }])
  expect(told).toEqual(['bulk fails', 'large fails'])
  expect(log.failure('large')).toBe(log.failure('bulk'))
  rmSync(join(folder, '00000001.log'), { recursive: true })
  await new Promise<void>(resolve => log.afterWrites(resolve))
  expect(told.slice(2)).toEqual(['bulk works', 'large works'])
  await log.close()
  expect([...(await valuesIn()).keys()].sort()).toEqual(['a', 'b'])
})

test('a deletion is written although a larger change that was given with it does not fit, which still counts as failing', async () => {
  const script = `
    import { DurableLog } from ${JSON.stringify(MODULE.href)}
    setInterval(() => {}, 1_000)
    const log = await DurableLog.open(process.argv[1])
    await new Promise(resolve => log.write([{ key: 'old', value: new Uint8Array([1]) }], resolve))
    const failed = new Promise(resolve => log.onFailure(resolve))
    const big = { key: 'big', value: new Uint8Array(), contents: [new Uint8Array(300_000)] }
    let isBigWritten = false
    log.write([big, { key: 'old', value: undefined }], () => { isBigWritten = true })
    await failed
    await new Promise(resolve => setImmediate(resolve))
    await new Promise(resolve => log.afterWrites(resolve, ['old']))
    console.log(JSON.stringify({ isBigWritten, code: log.failure('bulk')?.message.slice(0, 5) }))
    process.exit()`
  // No file may be larger than 100 KiB.
  const limited = `trap '' XFSZ; ulimit -f 200; exec "$0" --input-type=module -e "$1" "$2"`
  const child = spawn('/bin/sh', ['-c', limited, process.execPath, script, folder])
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  expect(JSON.parse(line)).toEqual({ isBigWritten: false, code: 'EFBIG' })
  await once(child, 'exit')
  expect([...(await valuesIn()).keys()]).toEqual([])
})

test('an urgent write waits for no bulk write that fails, and a log that is closed while its disk fails gives up', async () => {
  const log = await DurableLog.open(folder)
  await new Promise<void>(resolve => log.writeUrgent([{ key: 'state', value: bytes(1) }], resolve))
  // The next file cannot be made, and the present one is full after this content.
  mkdirSync(join(folder, '00000002.log'))
  await new Promise<void>(resolve =>
    log.write([{ key: 'a', value: bytes(1), contents: [new Uint8Array(70_000)] }], resolve)
  )
  const failed = new Promise<string>(resolve => log.onFailure(resolve))
  let isDone = false
  log.write([{ key: 'b', value: bytes(1) }], () => {
    isDone = true
  })
  expect(await failed).toBe('bulk')
  await log.close()
  expect({ isDone, failure: log.failure('bulk') }).toEqual({ isDone: false, failure: expect.any(Error) })
  rmSync(join(folder, '00000002.log'), { recursive: true })
  expect([...(await valuesIn()).keys()].sort()).toEqual(['a', 'urgent state'])
})
