import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { StoppedError } from '../../../src/common/errors.ts'
import { bundleTask, type TaskBundle } from '../../../src/tasks/bundle/bundle.ts'
import { CHUNK_TIMEOUT, PROCESS_ENDED, type TaskFailure, THREAD_ENDED } from '../../../src/tasks/execute/failure.ts'
import { describeFailure } from '../../../src/tasks/execute/stack.ts'
import type { BatchHandlers, Executor, LogLine, Outcomes } from '../../../src/tasks/executor.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { executorOf, folderOf, moduleOf } from '../helpers.ts'
import { valuesOf } from '../outcomes.ts'

interface Alone {
  outcomes: Outcomes[]
  partial: unknown
  error: TaskFailure | undefined
  logs: LogLine[]
}

async function runQuarantined(
  executor: Executor,
  bundle: TaskBundle,
  value: unknown,
  options: { signal?: AbortSignal; chunkTimeout?: number } & Partial<BatchHandlers> = {}
): Promise<Alone> {
  const alone: Alone = { outcomes: [], partial: undefined, error: undefined, logs: [] }
  const { signal, chunkTimeout, onLog = line => void alone.logs.push(line), onStarted } = options
  const chunk = { index: 7, bytes: encode(value, 'chunk') }
  const ran = executor.runQuarantined(
    { sha256: bundle.sha256, chunk, chunkTimeout, ...(signal === undefined ? {} : { signal }) },
    { onOutcomes: outcomes => alone.outcomes.push(outcomes), onLog, onStarted }
  )
  await ran
  expect(alone.outcomes).toHaveLength(1)
  const { partials, failed } = alone.outcomes[0] as Outcomes
  expect([...partials.indices, ...failed.map(({ index }) => index)]).toEqual([7])
  alone.error = failed[0]?.failure
  alone.partial = valuesOf(partials).get(7)
  return alone
}

/** A task that prints its pid, and then performs the action that the chunk names. */
const NAUGHTY = moduleOf(`
  import { execFileSync } from 'node:child_process'
  import { writeFileSync } from 'node:fs'
  export default {
    run({ what, file }, { signal }) {
      console.log('pid ' + process.pid)
      if (file !== undefined) writeFileSync(file, String(process.pid))
      if (what === 'abort') process.abort()
      if (what === 'exit') process.exit(3)
      if (what.startsWith('SIG')) { process.kill(process.pid, what); for (;;) {} }
      if (what === 'loop' || what === 'paused') for (;;) {}
      if (what === 'look') { while (!signal.aborted) {} throw signal.reason }
      if (what === 'sleep') execFileSync('sleep', ['600'])
      if (what === 'objects') for (const kept = [];;) kept.push({ kept: kept.length })
      if (what === 'map') for (let i = 0, kept = new Map();; i++) kept.set(i, i)
      if (what === 'fill') for (const kept = [];;) kept.push(new Array(3_000_000).fill(0.5))
      if (what === 'arrays') for (const kept = [];;) kept.push(new Float64Array(16).fill(1))
      if (what === 'nothing') return process.pid
    }
  }`)

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await delay(10)
}

function pidOf(logs: LogLine[]): number {
  return Number(/^pid (\d+)$/.exec(logs[0]?.line ?? '')?.[1])
}

describe('a chunk in quarantine', () => {
  it('a quarantined chunk returns its exact partial from another process, and that process is gone afterwards', async () => {
    const { partial, logs } = await runQuarantined(await executorOf([NAUGHTY]), NAUGHTY, { what: 'nothing' })
    expect(partial).not.toBe(process.pid)
    expect(partial).toBe(pidOf(logs))
    expect(isRunning(partial as number)).toBe(false)
    const same = moduleOf('export default { run: async chunk => chunk }')
    const value = { zero: -0, big: 1n << 70n, map: new Map([[1, new Float64Array([0.1])]]) }
    expect((await runQuarantined(await executorOf([same]), same, value)).partial).toEqual(value)
  })

  it('a quarantined chunk and its partial may have 20 MB each', async () => {
    const bundle = moduleOf('export default { run: bytes => new Uint8Array(bytes.length).fill(7) }')
    const { partial } = await runQuarantined(await executorOf([bundle]), bundle, new Uint8Array(20_000_000))
    const bytes = partial as Uint8Array
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([20_000_000, 7, 7])
  })

  it("a quarantined chunk that throws fails with a stack that points into the user's files", async () => {
    const folder = await folderOf({
      'task.ts': "export default {\n  run() {\n    throw new RangeError('no')\n  }\n}\n"
    })
    const bundle = await bundleTask(`${folder}/task.ts`)
    const { error } = await runQuarantined(await executorOf([bundle]), bundle, 0)
    expect(error).toMatchObject({ function: 'run', index: 7, name: 'RangeError', message: 'no' })
    expect(describeFailure(error!, folder).stack).toContain(`${folder}/task.ts:3:11`)
  })

  it('a quarantined chunk reports its start and its log lines', async () => {
    // The chunk runs until the executor has reported that the chunk started.
    const bundle = moduleOf(`
      import { existsSync } from 'node:fs'
      export default { async run (seen, { log }) {
        console.log('out'); console.error('err'); log('log')
        while (!existsSync(seen)) await new Promise(resolve => setTimeout(resolve, 5))
      } }`)
    const seen = join(await folderOf({}), 'seen')
    const started: number[] = []
    const onStarted = (index: number): void => {
      started.push(index)
      writeFileSync(seen, '')
    }
    const { logs } = await runQuarantined(await executorOf([bundle]), bundle, seen, { onStarted })
    expect(logs.map(({ stream, line, index }) => [stream, line, index])).toEqual([
      ['stdout', 'out', 7],
      ['stderr', 'err', 7],
      ['stdout', 'log', 7]
    ])
    expect(started).toEqual([7])
  })

  it('process.exit, process.abort and a full heap end only the thread of a quarantined chunk, and the failure names the cause', async () => {
    const executor = await executorOf([NAUGHTY], { maxHeapMb: 32 })
    expect((await runQuarantined(executor, NAUGHTY, { what: 'exit' })).error).toMatchObject({
      name: THREAD_ENDED,
      message: expect.stringContaining('process.exit(3)')
    })
    expect((await runQuarantined(executor, NAUGHTY, { what: 'abort' })).error).toMatchObject({
      message: expect.stringContaining('process.abort()')
    })
    expect((await runQuarantined(executor, NAUGHTY, { what: 'objects' })).error).toMatchObject({
      name: THREAD_ENDED,
      message: expect.stringContaining('32 MiB')
    })
  })

  it.each(['SIGKILL', 'SIGABRT', 'SIGSEGV'])(
    'when %s ends the process of a quarantined chunk, the failure names the signal',
    async signal => {
      const { error, logs } = await runQuarantined(await executorOf([NAUGHTY]), NAUGHTY, { what: signal })
      expect(error).toMatchObject({ function: 'run', index: 7, name: PROCESS_ENDED, stack: '' })
      expect(error?.message).toContain(`by ${signal}`)
      expect(isRunning(pidOf(logs))).toBe(false)
    }
  )

  it.each(['map', 'arrays', 'fill'])(
    'a quarantined chunk with a full heap fails, whether the thread or the whole process ends (%s)',
    async what => {
      const { error } = await runQuarantined(await executorOf([NAUGHTY], { maxHeapMb: 32 }), NAUGHTY, { what })
      // The version of Node decides whether a full heap ends the whole process or only the thread. On Node 20, `fill` ends the process.
      const endsProcess = what === 'fill' && process.version.startsWith('v20.')
      expect(endsProcess ? [PROCESS_ENDED] : [PROCESS_ENDED, THREAD_ENDED]).toContain(error?.name)
      expect(error?.message).toMatch(/memory/)
    }
  )
})

describe('the end of a chunk in quarantine', () => {
  it.each(['loop', 'look', 'sleep'])(
    'a quarantined chunk ends when it is aborted, whatever it does (%s)',
    async what => {
      const executor = await executorOf([NAUGHTY])
      const controller = new AbortController()
      const reason = new Error('enough')
      const logs: LogLine[] = []
      const onLog = (line: LogLine): void => {
        logs.push(line)
        controller.abort(reason)
      }
      await expect(runQuarantined(executor, NAUGHTY, { what }, { signal: controller.signal, onLog })).rejects.toBe(
        reason
      )
      expect(isRunning(pidOf(logs))).toBe(false)
    }
  )

  it.each(['loop', 'look', 'sleep', 'paused'])(
    'a quarantined chunk ends when it exceeds chunkTimeout (%s)',
    async what => {
      const logs: LogLine[] = []
      let started = false
      // Pauses the process only after the executor knows that the chunk runs.
      const pause = (): void => {
        if (what === 'paused' && started && logs.length > 0 && isRunning(pidOf(logs)))
          process.kill(pidOf(logs), 'SIGSTOP')
      }
      const { error } = await runQuarantined(
        await executorOf([NAUGHTY]),
        NAUGHTY,
        { what },
        {
          chunkTimeout: what === 'paused' ? 2_000 : 100,
          onLog(line) {
            logs.push(line)
            pause()
          },
          onStarted() {
            started = true
            pause()
          }
        }
      )
      expect(error).toMatchObject({ name: CHUNK_TIMEOUT, index: 7 })
      expect(isRunning(pidOf(logs))).toBe(false)
    }
  )

  it('a quarantined chunk ends when the executor stops', async () => {
    const executor = await executorOf([NAUGHTY], { slots: 1 })
    const logs: LogLine[] = []
    const onLog = (line: LogLine): void => {
      logs.push(line)
      void executor.stop()
    }
    await expect(runQuarantined(executor, NAUGHTY, { what: 'loop' }, { onLog })).rejects.toThrow(StoppedError)
    expect(isRunning(pidOf(logs))).toBe(false)
    await expect(runQuarantined(executor, NAUGHTY, { what: 'loop' })).rejects.toThrow(StoppedError)
  })

  it('a quarantined chunk ends when its peer is killed, even while the chunk loops or waits for another process', async () => {
    const url = (name: string) => JSON.stringify(new URL(`../../../dist/tasks/${name}.js`, import.meta.url).href)
    const folder = await folderOf({ 'task.mjs': NAUGHTY.code.toString() })
    for (const what of ['loop', 'sleep']) {
      const script = `
        import { readFileSync } from 'node:fs'
        import { CodeStore, codeHash } from ${url('execute/code-store')}
        import { Executor } from ${url('executor')}
        import { encode } from ${url('values/payload')}
        const code = readFileSync(${JSON.stringify(`${folder}/task.mjs`)})
        const sha256 = codeHash(code)
        const codeStore = new CodeStore({ parent: ${JSON.stringify(folder)} })
        await codeStore.put(sha256, code)
        const executor = new Executor({ slots: 1, codeStore })
        const chunk = { index: 0, bytes: encode({ what: '${what}' }, 'chunk') }
        await executor.runQuarantined({ sha256, chunk }, { onOutcomes() {}, onLog: ({ line }) => console.log(line) })`
      const peer = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit']
      })
      const [line] = await once(peer.stdout.setEncoding('utf8'), 'data')
      const pid = Number(/\d+/.exec(line)?.[0])
      expect(isRunning(pid)).toBe(true)
      peer.kill('SIGKILL')
      await untilGone(pid)
    }
  })
})
