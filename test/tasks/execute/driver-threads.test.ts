import { join } from 'node:path'
import pDefer from 'p-defer'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StoppedError } from '../../../src/common/errors.ts'
import { BANNER } from '../../../src/tasks/bundle/banner.ts'
import { bundleTask } from '../../../src/tasks/bundle/bundle.ts'
import type { CallEnd, CallOptions, CallPool, TaskCall } from '../../../src/tasks/execute/calls.ts'
import { DriverThreads } from '../../../src/tasks/execute/driver-threads.ts'
import { ThreadPool } from '../../../src/tasks/execute/thread-pool.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { executorOf, folderOf, moduleOf, pullAll, withPatience } from '../helpers.ts'

describe('the thread of the next job', () => {
  /** A task with the banner of a bundle. The value of its only chunk is the number of calls of `split` in this instance of the module. */
  const sourceOf = (before = '') => `${BANNER}
let calls = 0
export default { split () { ${before}; return [++calls] }, run: chunk => chunk }`

  /** Runs two jobs one after the other; resolves with the number of threads that were started for each job, and the chunks of both jobs. */
  async function driveTwice(source: string): Promise<{ started: number[]; chunks: unknown[] }> {
    const bundle = moduleOf(source)
    // The executor is not shared with other tests, because this function counts the threads that the executor starts.
    const executor = await executorOf([bundle], { slots: 1 })
    let count = 0
    const onWorker = (): void => void count++
    process.on('worker', onWorker)
    onTestFinished(() => void process.off('worker', onWorker))
    const found = { started: [] as number[], chunks: [] as unknown[] }
    for (let i = 0; i < 2; i++) {
      const before = count
      const driver = await executor.openDriver({ sha256: bundle.sha256, input: encode(0, 'input'), slots: 1 })
      found.chunks.push(...(await pullAll(driver)))
      await withPatience(() => driver.close())
      found.started.push(count - before)
    }
    return found
  }

  it('the next job runs in the thread of the last job, with a new instance of the module', async () => {
    expect(await driveTwice(sourceOf())).toEqual({ started: [1, 0], chunks: [1, 1] })
  })

  it('the next job runs in the thread of the last job if the code is bundled with its imports', async () => {
    const folder = await folderOf({
      'task.ts': `import { defineTask } from 'p2p-worker'
      import { twice } from './twice.ts'
      export default defineTask({ split: () => [twice(1)], run: chunk => chunk, initial: 0, reduce: (a, b) => a + b })`,
      'twice.ts': 'export const twice = (n: number): number => [n, n].map(x => Math.max(x, 1)).reduce((a, b) => a + b)'
    })
    const { code } = await bundleTask(join(folder, 'task.ts'))
    expect(await driveTwice(Buffer.from(code).toString())).toEqual({ started: [1, 0], chunks: [2, 2] })
  })

  it('the next job runs in the thread of the last job if the code reads the clock and encodes text', async () => {
    const source = `${sourceOf('performance.now(); new TextDecoder().decode(new TextEncoder().encode("a"))')}
const began = performance.timeOrigin`
    expect(await driveTwice(source)).toEqual({ started: [1, 0], chunks: [1, 1] })
  })

  it.each([
    ['a changed function of a built-in object', 'Math.random = () => 4'],
    ['a new method of all arrays', 'Array.prototype.last = function () { return this.at(-1) }'],
    ['a new method of a prototype without a name', 'Object.getPrototypeOf(Int8Array.prototype).last = 1'],
    ['a new method of all generators', 'Object.getPrototypeOf(function* () {}).prototype.last = 1'],
    ['frozen objects', 'Object.freeze(Object.prototype)'],
    ['a property that cannot be changed', "Object.defineProperty(JSON, 'parse', { writable: false })"],
    ['another console', 'console.log = () => {}'],
    ['another clock', 'performance.now = () => 0'],
    ['another way to read texts', 'TextDecoder.prototype.decode = () => ""'],
    ['a lot of memory', `${'kept'} = new Uint8Array(64 * 2 ** 20).fill(1)`]
  ])('the next job gets a new thread if the last job has left %s', async (_, before) => {
    const source = sourceOf(before).replace('let calls', 'let kept; let calls')
    expect(await driveTwice(source)).toEqual({ started: [1, 1], chunks: [1, 1] })
  })

  it.each([
    ['a module of Node', "import 'node:fs'"],
    ['a dynamic import', "const later = () => import('data:text/javascript,')"],
    ['a later require', "const later = () => require('node:fs')"],
    ['a timer', 'setInterval(() => {}, 1e6).unref()'],
    ['a performance mark', "performance.mark('left')"],
    ['the environment', "process.env.LEFT = '1'"],
    ['all globals', 'globalThis.left = 1'],
    ['code made from text', "Function('return 1')"],
    ['an escaped name', '\\u0070rocess.env.LEFT = 1']
  ])('the next job gets a new thread if the code of the last job uses %s', async (_, used) => {
    const { started } = await driveTwice(`${sourceOf()}\n${used}`)
    expect(started).toEqual([1, 1])
  })

  it('the next job gets a new thread if the code is not a bundle', async () => {
    const { started } = await driveTwice(sourceOf().slice(BANNER.length))
    expect(started).toEqual([1, 1])
  })

  it('the next job gets a new thread if the last job ended its thread', async () => {
    const bundle = moduleOf(sourceOf('process.exit(3)'))
    const executor = await executorOf([bundle], { slots: 1 })
    const open = () => executor.openDriver({ sha256: bundle.sha256, input: encode(0, 'input'), slots: 1 })
    const failed = await open()
    await expect(failed.pull(1)).rejects.toThrow('process.exit(3)')
    await failed.close()
    const driver = await open()
    await expect(driver.pull(1)).rejects.toThrow('process.exit(3)')
    await driver.close()
  })

  it('a job whose input cannot be read fails, and its thread or process serves another job', async () => {
    const bundle = moduleOf(sourceOf())
    const executor = await executorOf([bundle], { slots: 1 })
    const input = new Uint8Array(encode(0, 'input').byteLength)
    const open = (whenTaken: () => Promise<void>) =>
      executor.openDriver({ sha256: bundle.sha256, input, slots: 1, whenTaken })
    await expect(open(() => Promise.reject(new Error('the disk hangs')))).rejects.toThrow('the disk hangs')
    const driver = await open(async () => input.set(encode(0, 'input')))
    expect(await pullAll(driver)).toEqual([1])
    await withPatience(() => driver.close())
  })

  it('the next job runs in the thread that was started in advance', async () => {
    const bundle = moduleOf(
      "import { threadId } from 'node:worker_threads'\nexport default { split: () => [threadId], run: chunk => chunk }"
    )
    const executor = await executorOf([bundle], { slots: 1 })
    executor.prepareDriver()
    executor.prepareDriver()
    const input = encode(0, 'input')
    const drivers = await Promise.all([1, 2].map(() => executor.openDriver({ sha256: bundle.sha256, input, slots: 1 })))
    const ids = (await Promise.all(drivers.map(driver => pullAll(driver)))).map(([id]) => Number(id))
    // Consecutive thread ids show that one job used the prepared thread, and that the pool started only one thread more.
    expect(Math.abs(ids[1]! - ids[0]!)).toBe(1)
    await Promise.all(drivers.map(driver => driver.close()))
  })

  it('a job that waits for a thread rejects when its signal aborts, and when the threads stop', async () => {
    const threads = new DriverThreads(
      () => new ThreadPool({ threads: 1, settings: { external: [], cwd: '/', lenient: false }, keep: true }),
      { most: 1 }
    )
    onTestFinished(() => threads.stop())
    await threads.take()
    const order: string[] = []
    const aborted = new AbortController()
    const given = threads.take({ signal: aborted.signal }).catch(() => order.push('gave up'))
    aborted.abort(new Error('enough'))
    await given
    const waits = threads.take().catch(error => order.push((error as Error).name))
    await threads.stop()
    await waits
    expect(order).toEqual(['gave up', 'StoppedError'])
  })
})

describe('threads for many jobs at a time', () => {
  /** A fake pool of one thread. The thread has started when the test calls `start`. */
  class Starting implements CallPool {
    readonly busy = 0
    stopped = false
    readonly #started = pDefer<void>()

    start(): void {
      this.#started.resolve()
    }

    call({ handler }: CallOptions): TaskCall {
      const ended = this.#started.promise.then(
        (): CallEnd => ({ type: 'done', result: { reusable: handler === 'runDriver' } })
      )
      return { ended, activity: undefined, stopOf: () => undefined, stop() {}, post() {}, kill() {} }
    }

    async stop(): Promise<void> {
      this.stopped = true
    }
  }

  function threadsOf(options: { most?: number; mostStarting: number; keepsSpare?: boolean }): {
    all: Starting[]
    threads: DriverThreads
  } {
    const all: Starting[] = []
    const threads = new DriverThreads(() => {
      const thread = new Starting()
      all.push(thread)
      return thread
    }, options)
    return { all, threads }
  }

  /** Lets pending promises settle. */
  const settled = (): Promise<void> => new Promise(setImmediate)

  it('jobs never start more threads at a time than the limit', async () => {
    const { all, threads } = threadsOf({ mostStarting: 2 })
    const taken = [1, 2, 3, 4, 5].map(() => threads.take())
    expect(all).toHaveLength(2)
    all[1]!.start()
    await Promise.race(taken)
    expect(all).toHaveLength(3)
    all[0]!.start()
    all[2]!.start()
    await settled()
    expect(all).toHaveLength(5)
    all[3]!.start()
    all[4]!.start()
    await Promise.all(taken)
    expect(all).toHaveLength(5)
  })

  it('jobs of several clients take turns, so that one client cannot starve the others', async () => {
    const { all, threads } = threadsOf({ mostStarting: 1 })
    const order: string[] = []
    const take = (by: string): void => void threads.take({ by }).then(() => order.push(by))
    for (let i = 0; i < 5; i++) take('flood')
    take('other')
    for (let i = 0; i < 6; i++) {
      all[i]!.start()
      await settled()
    }
    expect(order).toEqual(['flood', 'other', 'flood', 'flood', 'flood', 'flood'])
  })

  it('a waiting job takes the thread of a finished job while a new thread is still starting', async () => {
    const { all, threads } = threadsOf({ mostStarting: 1 })
    const first = threads.take()
    all[0]!.start()
    const run = await first
    const second = threads.take()
    expect(all).toHaveLength(2)
    await run({ data: {} }).ended
    await second
    // The second job took the thread of the first job, so the new thread serves the third job.
    all[1]!.start()
    await threads.take()
    expect(all).toHaveLength(2)
  })

  it('a job that is cancelled while its thread starts passes the thread on to the next job', async () => {
    const { all, threads } = threadsOf({ mostStarting: 1 })
    const over = new AbortController()
    const first = threads.take({ signal: over.signal })
    const second = threads.take()
    over.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    all[0]!.start()
    await second
    expect(all).toHaveLength(1)
  })

  it('jobs wait for another job to end if the limit is reached', async () => {
    const { all, threads } = threadsOf({ most: 1, mostStarting: 2 })
    const first = threads.take()
    const second = threads.take()
    expect(all).toHaveLength(1)
    all[0]!.start()
    const run = await first
    await settled()
    expect(all).toHaveLength(1)
    await run({ data: {} }).ended
    await second
    expect(all).toHaveLength(1)
  })

  it('with keepsSpare, the number of threads is one more than the number of jobs', async () => {
    const { all, threads } = threadsOf({ mostStarting: 4, keepsSpare: true })
    const taken = [1, 2, 3].map(() => threads.take())
    for (const thread of all) thread.start()
    await Promise.all(taken)
    await settled()
    expect(all).toHaveLength(4)
    all[3]!.start()
    await settled()
    await threads.take()
    expect(all).toHaveLength(5)
  })

  it('waiting jobs reject when the threads stop, and all threads end, including threads that are still starting', async () => {
    const { all, threads } = threadsOf({ mostStarting: 2 })
    const taken = [1, 2, 3].map(() => threads.take())
    all[0]!.start()
    await taken[0]
    const waiting = Promise.allSettled(taken.slice(1))
    await threads.stop()
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(all.map(({ stopped }) => stopped)).toEqual([true, true, true])
    await expect(threads.take()).rejects.toThrow(StoppedError)
  })

  it('a job rejects with the reason if no thread can be created', async () => {
    const threads = new DriverThreads(() => {
      throw new Error('not built')
    })
    await expect(threads.take()).rejects.toThrow('not built')
  })
})
