import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LogReply, type LogRequest, serve } from '../../../src/persistence/log/log-thread.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'p2p-worker-log-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

test('a bulk write that arrives during an urgent commit does not wait as a failed write does', async () => {
  const { port1, port2 } = new MessageChannel()
  const replies: LogReply[] = []
  port1.on('message', (reply: LogReply) => replies.push(reply))
  serve(port2, folder)
  const write = (id: number, lane: 'urgent' | 'bulk'): LogRequest => {
    return { type: 'write', id, lane, changes: [{ key: 'a', value: new Uint8Array([id]) }], forgotten: [] }
  }
  // The urgent commit is the next thing after the bulk write was sent, so the commit takes the bulk write from the port.
  setImmediate(() => port1.postMessage(write(2, 'bulk')))
  port2.emit('message', write(1, 'urgent'))
  while (!replies.some(reply => reply.type === 'synced' && reply.id === 2) && vi.getTimerCount() === 0) await turn()
  expect(vi.getTimerCount()).toBe(0)
  expect(replies.flatMap(reply => (reply.type === 'synced' ? [reply.id] : []))).toEqual([1, 2])
  port1.postMessage({ type: 'close' } satisfies LogRequest)
  await new Promise(resolve => port1.once('close', resolve))
})
