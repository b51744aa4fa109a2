import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import wordCount from '../../examples/word-count.ts'
import { ProcessCluster, root } from '../cluster/processes.ts'
import { runInOneLoop } from './in-one-loop.ts'

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
  }, 60_000)

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

  it('is also the task that README.md shows', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const task = /```ts\n(import \{ defineTask \}.*?)```/s.exec(readme)?.[1] ?? ''
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
