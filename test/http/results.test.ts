import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { JsonTooLargeError } from '../../src/common/errors.ts'
import { ResultBodies } from '../../src/http/result-bodies.ts'
import { decode, encode } from '../../src/tasks/values/payload.ts'
import { toJson } from '../../src/tasks/values/tagged-json.ts'
import { Served } from './served.ts'

/** Returns a task whose result is the given expression. */
function task(result: string): string {
  return `export default { split: () => [0], run: () => 0, finish: () => ${result} }`
}

const ROWS = 'Array.from({ length: 400_000 }, (_, i) => ({ i, third: i / 3, name: "row " + i }))'
/** 30 nested levels of `[x, x]`: small in memory because of shared references, but huge as JSON. */
const SHARED = '(() => { let x = "end"; for (let i = 0; i < 30; i++) x = [x, x]; return x })()'
/** A bigint whose conversion to decimal digits takes longer than any test. */
const SLOW = '1n << 500_000_000n'

function made(code: string): unknown {
  return Function(`return ${code}`)()
}

/** Returns the longest time between two turns of the event loop during `work`, in ms. */
async function longestGap(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let isOver = false
  let last = performance.now()
  const turn = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  await work.finally(() => {
    isOver = true
  })
  return longest
}

describe('the result of a job over HTTP', () => {
  let served: Served

  beforeAll(async () => {
    served = await Served.start()
    await served.leads()
  })

  afterAll(() => served.stop())

  /** Resolves when the job has ended. */
  async function computed(id: string, result: string): Promise<void> {
    await served.submit({ source: task(result), options: { id } })
    await vi.waitFor(
      async () => expect((await served.own(`/api/jobs/${id}`)).json).toMatchObject({ state: 'completed' }),
      { timeout: 60_000, interval: 50 }
    )
  }

  /** Returns the size of the body in bytes, and does not decode the body. */
  function sizeOf(path: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${served.http.token}` }
      get(served.http.url + path, { headers, agent: false }, response => {
        let size = 0
        response.on('data', (data: Buffer) => {
          size += data.length
        })
        response.on('end', () => resolve(size))
        response.on('error', reject)
      }).on('error', reject)
    })
  }

  it('a small result that is huge as JSON is refused, and the peer survives', async () => {
    await computed('shared', SHARED)
    const { status, json } = await served.own('/api/jobs/shared/result')
    expect([status, json.error.name]).toEqual([413, 'JsonTooLargeError'])
    expect(json.error.message).toContain('bytes')
    await computed('next', '[1, 2]')
    expect((await served.own('/api/jobs/next/result')).json).toEqual([1, 2])
    expect((await served.ask('/readyz')).status).toBe(200)
  })

  it('a large result is converted without blocking the main thread', async () => {
    await computed('rows', ROWS)
    let size = 0
    const gap = await longestGap(
      sizeOf('/api/jobs/rows/result').then(bytes => {
        size = bytes
      })
    )
    // A conversion in this thread would block the thread for this time.
    const encoded = encode(made(ROWS), 'result')
    const start = performance.now()
    const text = toJson(decode(encoded, 'result'))
    const blocked = performance.now() - start
    expect(size).toBe(Buffer.byteLength(text))
    expect(size).toBeGreaterThan(20_000_000)
    expect(gap).toBeLessThan(blocked / 4)
  })

  it('a result arrives complete, whether the main thread or a worker thread converted the result', async () => {
    for (const result of ['({ a: 1n })', ROWS.replace('400_000', '20_000'), 'new Uint8Array(1_000_000).fill(7)']) {
      const id = `whole-${result.length}`
      await computed(id, result)
      const { status, text, headers } = await served.own(`/api/jobs/${id}/result`)
      const value = made(result)
      expect(status).toBe(200)
      expect(headers['cache-control']).toBe('no-store')
      if (value instanceof Uint8Array) {
        expect(headers['content-type']).toBe('application/octet-stream')
        expect([text.length, new Set(text)]).toEqual([value.length, new Set(['\u0007'])])
      } else {
        expect(headers['content-type']).toBe('application/json')
        expect(text).toBe(toJson(value))
      }
    }
  })

  it('the conversion of a result ends when its client disconnects', async () => {
    await computed('slow', SLOW)
    const headers = { Authorization: `Bearer ${served.http.token}` }
    const asked = get(`${served.http.url}/api/jobs/slow/result`, { headers, agent: false })
    asked.on('error', () => {})
    await new Promise(resolve => asked.once('finish', resolve))
    expect((await served.ask('/healthz')).status).toBe(200)
    asked.destroy()
    // Results are converted one at a time, so the next result would wait for the slow result.
    await computed('after', ROWS.replace('400_000', '20_000'))
    expect((await served.own('/api/jobs/after/result')).json).toHaveLength(20_000)
  })
})

describe('the bodies of results', () => {
  it('results are converted one at a time, and an aborted conversion ends', async () => {
    const bodies = new ResultBodies()
    try {
      const never = new AbortController().signal
      const unwanted = new AbortController()
      const slow = bodies.bodyOf(encode(made(SLOW), 'result'), unwanted.signal)
      const waiting = bodies.bodyOf(encode(made(SLOW), 'result'), AbortSignal.abort(new Error('gone')))
      const next = bodies.bodyOf(encode(made(ROWS.replace('400_000', '20_000')), 'result'), never)
      await expect(waiting).rejects.toThrow('gone')
      unwanted.abort(new Error('closed'))
      await expect(slow).rejects.toThrow('closed')
      expect((await next).type).toBe('application/json')
      await expect(bodies.bodyOf(encode(made(SHARED), 'result'), never)).rejects.toThrow(JsonTooLargeError)
      await expect(bodies.bodyOf(new Uint8Array(100_000).fill(0xff), never)).rejects.toMatchObject({
        name: 'InvalidMessageError'
      })
    } finally {
      await bodies.stop()
    }
  })

  it('a conversion ends when the server stops', async () => {
    const bodies = new ResultBodies()
    const slow = bodies.bodyOf(encode(made('new Array(1_000_000).fill(0)'), 'result'), new AbortController().signal)
    const ended = expect(slow).rejects.toMatchObject({ name: 'StoppedError' })
    await bodies.stop()
    await ended
  })
})
