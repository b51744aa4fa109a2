import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { firstPid } from './first-pid.ts'
import { ProcessCluster } from './processes.ts'

const SEVENS = 'test/cluster/tasks/sevens.ts'
const numbers = (count: number): string => Array.from({ length: count }, (_, i) => `${i}\n`).join('')
const sed = (input: string): string => execFileSync('sed', ['s/7/seven/g'], { input, maxBuffer: 2 ** 30 }).toString()
const sorted = (lines: string): string[] => lines.trimEnd().split('\n').sort()

/** Reads the id of the parent process, as Linux reports it. */
async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s*(\d+)$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1])
}

describe('map on four peers', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(4)
  })

  beforeEach(async () => {
    while (cluster.live.length < 4) await cluster.join().ready()
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  it('map prints the results in line order, as sed does, although the leader is killed three times', async () => {
    const input = numbers(100_000)
    const command = cluster.spawn(['map', SEVENS], { input })
    for (const share of [0.1, 0.35, 0.6]) {
      await command.until(`${share} is printed`, ({ stdout }) => stdout.length > share * input.length)
      await cluster.byRank()[0]!.end('SIGKILL')
      expect(command.child.exitCode, 'the command goes on').toBeNull()
    }
    const { code, stdout } = await command.ended
    expect(code).toBe(0)
    expect(stdout === sed(input), 'the output is equal byte for byte').toBe(true)
  })

  it('map prints each result once in any order with --unordered, although the leader is killed', async () => {
    const input = numbers(40_000)
    const command = cluster.spawn(['map', SEVENS, '--unordered'], { input })
    await command.until('something is printed', ({ stdout }) => stdout.length > 0.1 * input.length)
    await cluster.byRank()[0]!.end('SIGKILL')
    expect(command.child.exitCode, 'the command goes on').toBeNull()
    const { code, stdout } = await command.ended
    expect(code).toBe(0)
    expect(sorted(stdout)).toEqual(sorted(sed(input)))
  })

  it('map never runs a slow command twice', async () => {
    const file = join(cluster.home, 'executions')
    const slow = `echo {} >> ${file}; if [ {} = slow ]; then sleep 4; else sleep 0.1; fi`
    const input = `${numbers(24)}slow\n`
    expect((await cluster.run(['map', '--exec', slow], { input })).code).toBe(0)
    expect(sorted(await readFile(file, 'utf8'))).toEqual(sorted(input))
  })

  it('map ends the command of a killed peer, and runs the command on another peer', async () => {
    const file = join(cluster.home, 'runs')
    const once = `echo $$ >> ${file}; if [ "$(wc -l < ${file})" = 1 ]; then exec sleep 1000; fi; echo {}`
    const command = cluster.spawn(['map', '--exec', once], { input: 'x\n' })
    const pid = await firstPid(file)
    const starter = await parentOf(pid)
    const owner = await parentOf(starter)
    const peer = cluster.live.find(({ child }) => child.pid === owner)!
    await peer.end('SIGKILL')
    expect(await command.ended).toMatchObject({ code: 0, stdout: 'x\n' })
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false)
  })
})
