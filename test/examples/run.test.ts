import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import wordCount from '../../examples/word-count.ts'
import { ProcessCluster, root } from '../cluster/processes.ts'
import { runInOneLoop } from './in-one-loop.ts'
import { kMeansInOneLoop, sgdInOneLoop } from './iris.ts'

/** The arguments of the command in an example's first line, as a shell reads them. */
function firstCommand(file: string): string[] {
  const [line = ''] = readFileSync(join(root, 'examples', file), 'utf8').split('\n', 1)
  const command = /^\/\/ npx p2p-worker (run examples\/.*)$/.exec(line)?.[1]
  if (command === undefined) throw new Error(`examples/${file} must begin with "// npx p2p-worker run examples/…"`)
  return execFileSync('sh', ['-c', `printf '%s\\0' ${command}`])
    .toString()
    .split('\0')
    .slice(0, -1)
}

describe('on a cluster of two peers, an example run as its first comment says', () => {
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

  it('gives the published sums of NAS EP class S', async () => {
    expect(await resultOf('nas-ep.ts')).toMatchObject({ class: 'S', pairs: 2 ** 24, verified: true })
  })

  it('finds the 14,200 ways to place 12 queens', async () => {
    expect(await resultOf('n-queens.ts')).toEqual({ n: 12, solutions: 14_200, verified: true })
  })

  it('counts the words of a file as one loop does', async () => {
    const readme = new Uint8Array(readFileSync(join(root, 'README.md')))
    expect(await resultOf('word-count.ts')).toEqual((await runInOneLoop(wordCount, readme)).result)
  })

  it('maps each number to its steps to 1, as OEIS A006577 has them', async () => {
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
    // The most of all below 1,000.
    expect(lines[870]).toBe('871 178')
  })

  it('finds the groups of irises as one loop does, to the bit', async () => {
    expect(await resultOf('k-means.ts')).toEqual(kMeansInOneLoop())
  })

  it('learns to tell irises as one loop does, to the bit', async () => {
    expect(await resultOf('sgd.ts')).toEqual(sgdInOneLoop())
  })

  it('is also the iteration that docs/iterations.md shows, on the cluster and without', async () => {
    const document = readFileSync(join(root, 'docs', 'iterations.md'), 'utf8')
    const file = join(cluster.home, 'geometric-median.ts')
    writeFileSync(file, /```ts\n(.*?)```/s.exec(document)?.[1] ?? '')
    const args = ['run', file, '--input', '[[0,0],[4,0],[0,3]]']
    const { stdout, stderr } = await cluster.run(args)
    const place: { x: number; y: number } = JSON.parse(stdout || stderr)
    // The point from which the three corners are seen at angles of 120 degrees.
    expect([place.x, place.y].map(value => value.toFixed(4))).toEqual(['0.6958', '0.7512'])
    expect(JSON.parse((await cluster.spawnBare([...args, '--local'], {}).ended).stdout)).toEqual(place)
  })

  it('is also the task that README.md shows', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const task = /```ts\n(\/\/ count-primes\.ts\n.*?)```/s.exec(readme)?.[1] ?? ''
    const file = join(cluster.home, 'count-primes.ts')
    writeFileSync(file, task)
    const { stdout, stderr } = await cluster.run(['run', file, '--input', '{"below":1000000}'])
    expect(stdout.trim(), stderr).toBe('78498')
  })

  it('is here for each task in examples/', () => {
    const tasks = readdirSync(join(root, 'examples')).filter(name => name.endsWith('.ts'))
    expect(covered.toSorted()).toEqual(tasks.toSorted())
  })
})
