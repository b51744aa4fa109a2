import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import nQueens from '../../../examples/n-queens.ts'
import { bundleTask } from '../../../src/tasks/bundle/bundle.ts'
import { runOnOneThread } from '../../../src/tasks/bundle/load-local.ts'
import { runInOneLoop } from '../../examples/in-one-loop.ts'
import { bareEnvironment, type Finished, type Running, start } from '../process.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const nQueensFile = join(root, 'examples/n-queens.ts')
const floatSum = join(root, 'test/cluster/tasks/float-sum.ts')
const combinedSum = join(root, 'test/cluster/tasks/combined-sum.ts')

const TASKS: Record<string, string> = {
  'slots.ts': 'export default { split: (_: unknown, { slots }: { slots: number }) => [slots], run: (n: number) => n }',
  // A chunk with a lower index returns later.
  'order.ts': `export default {
    *split({ n }: { n: number }) { for (let i = 0; i < n; i++) yield n - i },
    run: async (wait: number) => { await new Promise(resolve => setTimeout(resolve, wait)); return wait },
    initial: '',
    reduce: (text: string, wait: number, index: number) => text + index + ':' + wait + ' '
  }`,
  'million.ts': `export default {
    *split({ n }: { n: number }) { for (let i = 0; i < n; i++) yield i },
    run: (i: number) => i,
    initial: 0,
    reduce: (sum: number, i: number, index: number) => (sum * 31 + i + index) % 1_000_003
  }`,
  // Thirty levels of [x, x], which have 2 ** 30 values as JSON.
  'shared.ts': `export default {
    split: () => [0],
    run: () => 0,
    finish() {
      let value: unknown = 'end'
      for (let level = 0; level < 30; level++) value = [value, value]
      return value
    }
  }`,
  'failing.ts': `export default {
    split: () => [1, 2, 3, 4],
    run(n: number) {
      if (n === 3) throw new RangeError('three is too many')
      return n
    }
  }`,
  'flaky.ts': `import { appendFileSync, readFileSync } from 'node:fs'
  export default {
    split: ({ file }: { file: string }) => [1, 2, 3].map(n => ({ n, file })),
    run({ n, file }: { n: number; file: string }) {
      appendFileSync(file, String(n))
      if (n === 2 && readFileSync(file, 'utf8').split('2').length < 4) throw new Error('not yet')
      return n
    }
  }`,
  'hanging.ts': `export default {
    split: () => [0, 1, 2],
    run(n: number) { for (;;) if (n !== 1) return n }
  }`,
  'waiting.ts': `import { writeFileSync } from 'node:fs'
  export default {
    split: ({ file }: { file: string }) => [file],
    async run(file: string, { signal }: { signal: AbortSignal }) {
      console.log('begun')
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      await new Promise(resolve => setTimeout(resolve, 100))
      writeFileSync(file, 'cleaned up')
    }
  }`,
  'printing.ts': `export default {
    split: () => [7],
    run(n: number) { console.log('out', n); console.error('err', n); return n },
    finish(all: number[]) { console.log('at the end'); return all }
  }`,
  'bytes.ts':
    'export default { split: (input: Uint8Array) => [input], run: (b: Uint8Array) => b, initial: 0, reduce: (_: unknown, b: Uint8Array) => b }',
  'external.ts': "import { used } from 'kept-out'\nexport default { split: () => [1], run: (n: number) => used + n }",
  'node_modules/kept-out/package.json': '{ "name": "kept-out", "type": "module", "main": "index.js" }',
  'node_modules/kept-out/index.js': 'export const used = 41'
}

let folder: string
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  for (const [name, text] of Object.entries(TASKS)) {
    await mkdir(join(folder, name, '..'), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  for (const name of ['home', 'tmp']) await mkdir(join(folder, name))
  environment = bareEnvironment(join(folder, 'home'), { TMPDIR: join(folder, 'tmp') })
})

afterAll(() => rm(folder, { recursive: true, force: true }))

const startIn = (args: string[], more: NodeJS.ProcessEnv = {}): Running =>
  start(['run', ...args], { ...environment, ...more }, true, folder)
const run = (args: string[], more?: NodeJS.ProcessEnv): Promise<Finished> => startIn(args, more).finished
const local = (args: string[], more?: NodeJS.ProcessEnv): Promise<Finished> => run(['--local', ...args], more)
const input = (value: unknown): string[] => ['--input', JSON.stringify(value)]

async function resultOf(args: string[], more?: NodeJS.ProcessEnv): Promise<unknown> {
  const { code, stdout, stderr } = await local(args, more)
  expect(code, stderr).toBe(0)
  return JSON.parse(stdout)
}

describe('run --local', () => {
  it('run --local returns the same result as a computation in one loop', async () => {
    const { result } = await runInOneLoop(nQueens, { n: 9 })
    expect(await resultOf([nQueensFile, ...input({ n: 9 })])).toEqual(result)
  })

  it('run --local returns the same bits as one thread if the result depends on the order of additions', async () => {
    const expected = await runOnOneThread(await bundleTask(floatSum), { n: 5_000 })
    expect(await resultOf([floatSum, ...input({ n: 5_000 })])).toEqual(expected)
    expect(await resultOf(['3', floatSum, ...input({ n: 5_000 })])).toEqual(expected)
  })

  it('run --local returns the same bits if the worker threads combine their partials', async () => {
    const file = join(folder, 'combined')
    // The chunks are so many that more than one thread computes some of them.
    const given = { n: 2_005, ms: 0.5, file }
    const expected = await runOnOneThread(await bundleTask(combinedSum), given)
    await rm(file)
    expect(await resultOf(['3', combinedSum, ...input(given)])).toEqual(expected)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    const threads = (what: string) =>
      new Set(lines.flatMap(line => (line.startsWith(what) ? [line.split(' ')[2]] : [])))
    expect(threads('reduce').size).toBe(1)
    expect(threads('combine').size).toBeGreaterThan(1)
    expect(expected).toMatchObject({ folds: Math.ceil(2_005 / 16) })
  })

  it('run --local folds partials in the order of the chunks, even when later chunks return first', async () => {
    const expected = Array.from({ length: 20 }, (_, i) => `${i}:${20 - i} `).join('')
    expect(await resultOf(['4', 'order.ts', ...input({ n: 20 })])).toBe(expected)
  })

  it('run --local computes a million tiny chunks', async () => {
    const n = 1_000_000
    let sum = 0
    for (let i = 0; i < n; i++) sum = (sum * 31 + i + i) % 1_000_003
    const { code, stdout, stderr } = await local(['million.ts', ...input({ n }), '--json'])
    expect(code, stderr).toBe(0)
    const { result, stats } = JSON.parse(stdout)
    expect(result).toBe(sum)
    expect(stats).toMatchObject({ chunks: n, perPeer: { local: n } })
  })

  it('run --local uses the requested number of threads, or one thread for each processor', async () => {
    const given: [string[], string?][] = [
      [['--local', '3', 'slots.ts']],
      [['slots.ts', '--local', '3']],
      [['--local=3', 'slots.ts']],
      [['slots.ts'], '3']
    ]
    for (const [args, variable] of given) {
      const { stdout } = await run(args, variable === undefined ? {} : { P2P_WORKER_LOCAL: variable })
      expect(JSON.parse(stdout)).toEqual([3])
    }
    const all = [availableParallelism()]
    expect(JSON.parse((await run(['slots.ts', '--local'])).stdout)).toEqual(all)
    expect(JSON.parse((await run(['--local', 'slots.ts'])).stdout)).toEqual(all)
    expect(JSON.parse((await run(['slots.ts'], { P2P_WORKER_LOCAL: 'true' })).stdout)).toEqual(all)
  })

  it('run --local with --json prints the same object as a run in a cluster', async () => {
    const { code, stdout } = await local([nQueensFile, ...input({ n: 6 }), '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      jobId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      state: 'completed',
      result: { n: 6, solutions: 4, verified: true },
      error: null,
      stats: {
        chunks: 20,
        retries: 0,
        recomputed: 0,
        speculated: 0,
        elapsedMs: expect.any(Number),
        perPeer: { local: 20 }
      }
    })
  })

  it('run --local shows the output of the task on stderr', async () => {
    const { code, stdout, stderr } = await local(['printing.ts'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([7])
    expect(stderr.trimEnd().split('\n').toSorted()).toEqual([
      '[local chunk 0] err 7',
      '[local chunk 0] out 7',
      '[local finish] at the end'
    ])
  })

  it('run --local reads an input from a file and writes the result to a file', async () => {
    await writeFile(join(folder, 'in.bin'), Buffer.from([0, 255, 1]))
    const { code, stdout } = await local(['bytes.ts', '--input-file', 'in.bin', '--output', 'out.bin'])
    expect([code, stdout]).toEqual([0, ''])
    expect([...(await readFile(join(folder, 'out.bin')))]).toEqual([0, 255, 1])
  })

  it('run --local uses external packages from the current folder', async () => {
    expect(await resultOf(['external.ts', '--external', 'kept-out'])).toEqual([42])
  })
})

describe('run --local that fails', () => {
  it('a failing run --local ends with exit code 1, and prints the function, the chunk and the stack of the task', async () => {
    const { code, stdout, stderr } = await local(['failing.ts'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('error: run failed on chunk 2: RangeError: three is too many')
    expect(stderr).toMatch(/ {2}job [0-9a-f-]{36}, in run, chunk 2\n/)
    expect(stderr).toContain('failing.ts:4:')
  })

  it('a failing run --local with --json prints the function, the chunk and the stack as JSON', async () => {
    const { code, stdout } = await local(['failing.ts', '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'failed',
      result: null,
      error: { name: 'JobFailedError', function: 'run', index: 2, stack: expect.stringContaining('failing.ts') },
      stats: { chunks: 4 }
    })
  })

  it('run --local ends with exit code 1 and an error message when the result is too large as JSON', async () => {
    const { code, stdout, stderr } = await local(['shared.ts', '--json'])
    const object = JSON.parse(stdout)
    expect(code).toBe(1)
    expect(object).toMatchObject({ state: 'completed', result: null, error: { name: 'JsonTooLargeError' } })
    expect(stderr).toContain('characters')
    const file = join(folder, 'shared.json')
    const written = await local(['shared.ts', '--output', file])
    expect([written.code, written.stdout, existsSync(file)]).toEqual([1, '', false])
  })

  it('run --local retries chunks up to --retries times', async () => {
    const tries = (name: string): string[] => input({ file: join(folder, name) })
    const { code, stdout } = await local(['flaky.ts', ...tries('two'), '--retries', '2', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ result: [1, 2, 3], stats: { retries: 2 } })
    const { code: failed, stderr } = await local(['flaky.ts', ...tries('one'), '--retries', '1'])
    expect(failed).toBe(1)
    expect(stderr).toContain('run failed on chunk 1: Error: not yet')
  })

  it('run --local ends a chunk that runs longer than --chunk-timeout', async () => {
    const { code, stderr } = await local(['hanging.ts', '--chunk-timeout', '200ms'])
    expect(code).toBe(1)
    expect(stderr).toContain('run failed on chunk 1: ChunkTimeoutError')
  })

  it('run --local ends with exit code 2 when the module is not a task', async () => {
    const { code, stderr } = await local(['none.ts'])
    expect(code).toBe(2)
    expect(stderr).toContain('none.ts')
  })
})

describe('run --local that is interrupted', () => {
  it('an interrupted run --local aborts the chunks, lets them clean up, and ends with exit code 130', async () => {
    const file = join(folder, 'cleaned')
    const { child, finished } = startIn(['--local', 'waiting.ts', ...input({ file }), '--json'])
    await new Promise<void>(resolve => child.stderr!.on('data', data => String(data).includes('begun') && resolve()))
    child.kill('SIGINT')
    const { code, stdout } = await finished
    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'cancelled',
      result: null,
      error: { name: 'JobCancelledError', message: expect.stringContaining('is cancelled') },
      stats: { chunks: 1 }
    })
    expect(existsSync(file)).toBe(true)
  })
})

describe('run --local and the options for clusters', () => {
  it.each([
    ['--detach'],
    ['--bootstrap', '/ip4/192.0.2.1/tcp/4001'],
    ['--requires', 'gpu=a100'],
    ['--keep', '1h'],
    ['--durable', '1'],
    ['--cluster', 'lab'],
    ['--key', 'x'],
    ['--key-file', 'x'],
    ['--insecure'],
    ['--no-mdns'],
    ['--wait', '5s'],
    ['--priority', '1']
  ])('run --local refuses %s on the command line', async (...words) => {
    const { code, stdout, stderr } = await local(['slots.ts', ...words])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`error: ${words[0]} needs a cluster, and --local runs the task without one`)
  })

  it('the error of run --local names all refused options, and the variable that switches --local on', async () => {
    const { code, stderr } = await run(['slots.ts', '--detach', '--wait', '1s'], { P2P_WORKER_LOCAL: '2' })
    expect(code).toBe(2)
    expect(stderr).toMatch(/(--wait and --detach|--detach and --wait) need a cluster, and P2P_WORKER_LOCAL runs/)
  })

  it('run --local ignores the cluster options of the environment', async () => {
    const variables = {
      P2P_WORKER_KEY: 'tooshort',
      P2P_WORKER_INSECURE: '1',
      P2P_WORKER_BOOTSTRAP: 'nowhere',
      P2P_WORKER_CLUSTER: 'lab',
      P2P_WORKER_REQUIRES: 'gpu=a100',
      P2P_WORKER_DETACH: '1',
      P2P_WORKER_PRIORITY: '7'
    }
    const { code, stderr } = await local(['2', 'slots.ts', '--output', 'out.json'], variables)
    expect(code, stderr).toBe(0)
    expect(JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'))).toEqual([2])
  })

  it('run uses the cluster when P2P_WORKER_LOCAL switches --local off', async () => {
    for (const off of ['', '0', 'false']) {
      const { code, stderr } = await run(['slots.ts', '--wait', '0'], { P2P_WORKER_LOCAL: off })
      expect(stderr).toContain('no cluster')
      expect(code).toBe(3)
    }
  })

  it.each(['0', '4097', '1.5', '-1'])('run --local refuses %s threads', async threads => {
    const { code, stderr } = await run(['slots.ts', '--local', threads])
    expect(code).toBe(2)
    expect(stderr).toContain('It must be a whole number from 1 to 4096.')
  })

  it('run --local leaves no file behind', async () => {
    await local(['slots.ts'])
    await local(['failing.ts'])
    expect(await readdir(join(folder, 'home'))).toEqual([])
    // Node 22.1 and later have a compile cache of their own.
    expect((await readdir(join(folder, 'tmp'))).filter(name => name !== 'node-compile-cache')).toEqual([])
  })
})
