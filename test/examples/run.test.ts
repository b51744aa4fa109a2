import { execFileSync, spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import mandelbrot from '../../examples/mandelbrot.ts'
import thumbnail, { type Thumbnail } from '../../examples/thumbnail.ts'
import wordCount from '../../examples/word-count.ts'
import { ProcessCluster, RunningCommand, root } from '../cluster/processes.ts'
import { searchInOneLoop } from './hyper-parameters.ts'
import { runAllInOneLoop, runInOneLoop } from './in-one-loop.ts'
import { kMeansInOneLoop, sgdInOneLoop } from './iris.ts'
import { makePhotographs } from './photographs.ts'

/** Returns the arguments of the command in the first line of an example, as a shell parses them. */
function firstCommand(file: string): string[] {
  const [line = ''] = readFileSync(join(root, 'examples', file), 'utf8').split('\n', 1)
  const command = /^\/\/ npx p2p-worker (run examples\/.*)$/.exec(line)?.[1]
  if (command === undefined) throw new Error(`examples/${file} must begin with "// npx p2p-worker run examples/…"`)
  return execFileSync('sh', ['-c', `printf '%s\\0' ${command}`])
    .toString()
    .split('\0')
    .slice(0, -1)
}

describe('on a cluster of two peers, with the command in the first comment of the example', () => {
  let cluster: ProcessCluster
  const covered: string[] = []

  beforeAll(async () => {
    cluster = await ProcessCluster.start(2)
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  async function resultOf(file: string): Promise<unknown> {
    covered.push(file)
    const args = firstCommand(file)
    expect(args[1]).toBe(`examples/${file}`)
    const { code, stdout, stderr } = await cluster.run([...args, '--json'])
    expect(code, stderr).toBe(0)
    const { state, result, stats } = JSON.parse(stdout)
    expect(state).toBe('completed')
    expect(Object.values<number>(stats.perPeer).reduce((sum, count) => sum + count, 0)).toBe(stats.chunks)
    return result
  }

  /** Runs an example whose command writes a file. Writes this file to the test's folder, and returns the content of the file. */
  async function fileOf(file: string, more: string[] = []): Promise<Uint8Array> {
    covered.push(file)
    const args = firstCommand(file)
    expect(args.slice(0, 3)).toEqual(['run', `examples/${file}`, '--output'])
    const output = join(cluster.home, args[3] ?? '')
    const { code, stderr } = await cluster.run([...args.slice(0, 3), output, ...more])
    expect(code, stderr).toBe(0)
    return new Uint8Array(readFileSync(output))
  }

  it('the nas-ep example returns the published sums of class S', async () => {
    expect(await resultOf('nas-ep.ts')).toMatchObject({ class: 'S', pairs: 2 ** 24, verified: true })
  })

  it('the n-queens example finds the 14,200 placements of 12 queens', async () => {
    expect(await resultOf('n-queens.ts')).toEqual({ n: 12, solutions: 14_200, verified: true })
  })

  it('the word-count example returns the result of one loop', async () => {
    const readme = new Uint8Array(readFileSync(join(root, 'README.md')))
    expect(await resultOf('word-count.ts')).toEqual((await runInOneLoop(wordCount, readme)).result)
  })

  it('the collatz example maps each number to the number of steps from this number to 1, as in OEIS A006577', async () => {
    const file = 'collatz.ts'
    covered.push(file)
    const [first = ''] = readFileSync(join(root, 'examples', file), 'utf8').split('\n', 1)
    expect(first).toBe(`// seq 1000 | npx p2p-worker map examples/${file}`)
    const input = Array.from({ length: 1_000 }, (_, i) => `${i + 1}\n`).join('')
    const { code, stdout, stderr } = await cluster.run(['map', `examples/${file}`], { input })
    expect(code, stderr).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(1_000)
    expect(lines.slice(0, 10)).toEqual(['1 0', '2 1', '3 7', '4 2', '5 5', '6 8', '7 16', '8 3', '9 19', '10 6'])
    // 871 needs the most steps of all numbers below 1,000.
    expect(lines[870]).toBe('871 178')
  })

  it('the mandelbrot example draws the set with its published area', async () => {
    const { width, height, text } = decode(await fileOf('mandelbrot.ts'))
    expect({ width, height }).toEqual({ width: 1_200, height: 800 })
    expect(text.Area).toMatch(/, verified: true$/)
  })

  it('the mandelbrot example draws the picture of one loop, equal in every bit', async () => {
    const input = { width: 150, iterations: 200 }
    vi.spyOn(console, 'log').mockImplementation(() => {})
    const expected = await runAllInOneLoop(mandelbrot, input)
    vi.restoreAllMocks()
    expect(await fileOf('mandelbrot.ts', ['--input', JSON.stringify(input)])).toEqual(expected.result)
  })

  it('the ray-trace example draws a scene whose digest equals the digest of a run on one thread', async () => {
    const { width, height, text } = decode(await fileOf('ray-trace.ts'))
    expect({ width, height }).toEqual({ width: 480, height: 270 })
    expect(text.Digest).toMatch(/^[0-9a-f]{64}, verified: true$/)
  })

  it('the hash-search example finds the nonce of Bitcoin’s first block', async () => {
    expect(await resultOf('hash-search.ts')).toEqual({
      block: 'genesis',
      from: 2_080_236_893,
      nonce: 2_083_236_893,
      hash: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
      verified: true
    })
  })

  it('the thumbnails example makes the same thumbnails as one loop, and reports files that are not pictures', async () => {
    const file = 'thumbnail.ts'
    covered.push(file)
    for (const each of [file, 'thumbnails.mjs']) {
      const [first = ''] = readFileSync(join(root, 'examples', each), 'utf8').split('\n', 1)
      expect(first).toBe('// P2P_WORKER_KEY=… node examples/thumbnails.mjs photos thumbnails')
    }
    const photos = join(cluster.home, 'photos')
    const thumbnails = join(cluster.home, 'thumbnails')
    const files = await makePhotographs(photos, [
      { name: 'beach.jpg', width: 300, height: 200 },
      { name: 'tower.JPEG', width: 90, height: 270 },
      { name: 'chart.png', width: 280, height: 210 },
      { name: 'icon.png', width: 24, height: 24 }
    ])
    writeFileSync(join(photos, 'notes.txt'), 'no picture, and not called one')
    writeFileSync(join(photos, 'broken.jpg'), 'no picture')

    const env = { ...cluster.env, P2P_WORKER_BOOTSTRAP: cluster.live.map(peer => peer.addresses[0]).join(',') }
    const program = join(root, 'examples', 'thumbnails.mjs')
    const child = spawn(process.execPath, [program, photos, thumbnails, '64'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe']
    })
    const { code, stdout, stderr } = await new RunningCommand(child).ended
    expect(stderr).toMatch(/^broken\.jpg is left out: .+\n$/)
    expect(code).toBe(1)
    expect(stdout.trimEnd().split('\n').toSorted()).toEqual([
      'beach.jpg: 64x43',
      'chart.png: 64x48',
      'icon.png: 24x24',
      'tower.JPEG: 21x64'
    ])
    expect(readdirSync(thumbnails).toSorted()).toEqual([...files.keys()].toSorted())
    const context = { signal: new AbortController().signal, index: 0, log: () => {} }
    for (const [name, bytes] of files) {
      const expected: Thumbnail = await thumbnail.run({ name, bytes, longerSide: 64 }, context)
      const written = new Uint8Array(readFileSync(join(thumbnails, name)))
      expect({ ...expected, bytes: written }).toEqual(expected)
    }
  })

  it('the k-means example returns the result of one loop, equal in every bit', async () => {
    expect(await resultOf('k-means.ts')).toEqual(kMeansInOneLoop())
  })

  it('the sgd example returns the result of one loop, equal in every bit', async () => {
    expect(await resultOf('sgd.ts')).toEqual(sgdInOneLoop())
  })

  it('the hyper-parameter-search example returns the result of one loop, equal in every bit', async () => {
    expect(await resultOf('hyper-parameter-search.ts')).toEqual(searchInOneLoop(24))
  })

  it('the test-suite example runs its shards, and reports a failed shard with the output of this shard', async () => {
    const suite = readdirSync(join(root, 'examples', 'test-suite')).filter(name => name.endsWith('.test.mjs'))
    const wrong = join(cluster.home, 'wrong.test.mjs')
    writeFileSync(wrong, "import test from 'node:test'\ntest('one is two', () => { throw new Error('it is not') })\n")
    const files = suite.map(name => `examples/test-suite/${name}`)
    const shards = ['map', '--exec', 'node --test --test-reporter=tap {}', '--keep-going']
    const good = await cluster.run(shards, { input: files.map(file => `${file}\n`).join('') })
    expect(good.code, good.stderr).toBe(0)
    expect(good.stdout.match(/^# fail 0$/gm)).toHaveLength(suite.length)
    const bad = await cluster.run(shards, { input: [files[0], wrong, files[1]].map(file => `${file}\n`).join('') })
    expect(bad.code).toBe(1)
    expect(bad.stdout.match(/^# fail 0$/gm)).toHaveLength(2)
    expect(bad.stdout).toMatch(/^not ok 1 - one is two$/m)
    expect(bad.stderr).toContain(`${wrong}`)
    expect(bad.stderr).toContain('exit code 1')
  })

  it('the iteration of docs/iterations.md gives the same result on the cluster and with --local', async () => {
    const document = readFileSync(join(root, 'docs', 'iterations.md'), 'utf8')
    const file = join(cluster.home, 'geometric-median.ts')
    writeFileSync(file, /```ts\n(.*?)```/s.exec(document)?.[1] ?? '')
    const args = ['run', file, '--input', '[[0,0],[4,0],[0,3]]']
    const { stdout, stderr } = await cluster.run(args)
    const place: { x: number; y: number } = JSON.parse(stdout || stderr)
    // At this point, the lines to the three corners meet at angles of 120 degrees.
    expect([place.x, place.y].map(value => value.toFixed(4))).toEqual(['0.6958', '0.7512'])
    expect(JSON.parse((await cluster.spawnBare([...args, '--local'], {}).ended).stdout)).toEqual(place)
  })

  it('the task of README.md counts the 78,498 primes below 1,000,000', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const task = /```ts\n(\/\/ count-primes\.ts\n.*?)```/s.exec(readme)?.[1] ?? ''
    const file = join(cluster.home, 'count-primes.ts')
    writeFileSync(file, task)
    const { stdout, stderr } = await cluster.run(['run', file, '--input', '{"below":1000000}'])
    expect(stdout.trim(), stderr).toBe('78498')
  })

  it('these tests cover every task in examples/', () => {
    const tasks = readdirSync(join(root, 'examples')).filter(name => name.endsWith('.ts'))
    expect([...new Set(covered)].toSorted()).toEqual(tasks.toSorted())
  })
})
