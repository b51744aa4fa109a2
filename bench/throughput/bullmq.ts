import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { root } from '../../test/cluster/processes.ts'
import { using } from '../membership/resources.ts'
import { end, untimelyEnd } from './children.ts'
import { checkSum, type Rate } from './rate.ts'
import { withRedis } from './redis.ts'

const QUEUE = 'no-op'
const WORKERS = 2
const CONCURRENCY = 100
/** The number of jobs that are added in one call. */
const AT_ONCE = 1_000

/**
 * The part of BullMQ's API that this benchmark uses. BullMQ is not a dependency of this project: install it with `npm install --no-save bullmq
 * ioredis`.
 */
interface BullMq {
  Queue: new (name: string, options: Options) => Queue
  QueueEvents: new (name: string, options: Options) => QueueEvents
}

interface Options {
  connection: { host: string; port: number }
}

interface Queue {
  add(name: string, data: unknown, options: { removeOnComplete: boolean }): Promise<unknown>
  waitUntilReady(): Promise<unknown>
  addBulk(jobs: { name: string; data: number; opts: { removeOnComplete: boolean } }[]): Promise<unknown>
  close(): Promise<void>
}

interface QueueEvents {
  waitUntilReady(): Promise<unknown>
  on(event: 'completed', listener: (completed: { returnvalue: string }) => void): unknown
  removeAllListeners(event: 'completed'): unknown
  close(): Promise<void>
}

const require = createRequire(import.meta.url)

/** Returns the version of BullMQ. Returns undefined if BullMQ is not installed. */
export function bullmqVersion(): string | undefined {
  try {
    require.resolve('ioredis')
    return (require('bullmq/package.json') as { version: string }).version
  } catch {
    return undefined
  }
}

/** Returns BullMQ, which must be installed ({@link bullmqVersion}). */
export function bullMq(): BullMq {
  return require('bullmq') as BullMq
}

/** Measures BullMQ with Redis and two worker processes. The submitter receives the results as events. */
export async function bullmqRate(tasks: number): Promise<Rate> {
  return await withRedis(port =>
    using(Promise.resolve(new Workers(port)), async workers => {
      await workers.ready()
      const { Queue, QueueEvents } = bullMq()
      const connection = { host: '127.0.0.1', port }
      const queue = new Queue(QUEUE, { connection })
      const events = new QueueEvents(QUEUE, { connection })
      try {
        await Promise.all([queue.waitUntilReady(), events.waitUntilReady()])
        await collect(queue, events, Math.ceil(tasks / 10))
        const began = performance.now()
        const sum = await collect(queue, events, tasks)
        const ms = performance.now() - began
        checkSum('BullMQ', tasks, sum)
        return { tasks, ms }
      } finally {
        await events.close()
        await queue.close()
      }
    })
  )
}

async function collect(queue: Queue, events: QueueEvents, n: number): Promise<number> {
  let [done, sum] = [0, 0]
  const all = new Promise<void>(resolve => {
    events.on('completed', ({ returnvalue }) => {
      sum += Number(returnvalue)
      if (++done === n) resolve()
    })
  })
  const options = { removeOnComplete: true }
  for (let i = 0; i < n; i += AT_ONCE) {
    const length = Math.min(AT_ONCE, n - i)
    await queue.addBulk(Array.from({ length }, (_, k) => ({ name: QUEUE, data: i + k, opts: options })))
  }
  await all
  events.removeAllListeners('completed')
  return sum
}

class Workers {
  readonly #children: ChildProcess[]

  constructor(port: number) {
    const file = `${root}/bench/throughput/bullmq-worker.mjs`
    this.#children = Array.from({ length: WORKERS }, () => fork(file, [`${port}`, QUEUE, `${CONCURRENCY}`]))
  }

  async ready(): Promise<void> {
    const ready = this.#children.map(child =>
      Promise.race([once(child, 'message'), untimelyEnd('a worker', child).then(error => Promise.reject(error))])
    )
    await Promise.all(ready)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#children.map(child => end(child)))
  }
}
