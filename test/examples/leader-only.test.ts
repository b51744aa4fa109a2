import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ProcessCluster, RunningCommand, root } from '../cluster/processes.ts'
import { isAlive } from '../lead/is-alive.ts'

const example = (file: string): string => join(root, 'examples', file)
const LIMIT_MS = 60_000

let cluster: ProcessCluster
let programs: RunningCommand[]

beforeEach(async () => {
  programs = []
  cluster = await ProcessCluster.create()
  // This worker never leads. The test uses the worker to observe all other peers.
  await cluster.join(['--role', 'worker']).ready()
})

// The programs write into the home folder while they run, so the test ends the programs before it removes the folder.
afterEach(async () => {
  for (const { child } of programs) {
    child.kill('SIGCONT')
    child.kill('SIGTERM')
  }
  await Promise.all(programs.map(({ ended }) => ended))
  await cluster.stop()
})

/** Runs a program of examples/ with `p2p-worker lead`. */
function lead(priority: number, command: string[], more: string[] = []): RunningCommand {
  const address = cluster.peers[0]!.addresses[0]!
  const meet = ['--listen', '/ip4/127.0.0.1/tcp/0', '--no-mdns', '--bootstrap', address]
  const flags = ['--slots', '1', '--election-priority', String(priority), ...more]
  const running = cluster.spawnBare(['lead', ...meet, ...flags, '--', process.execPath, ...command], cluster.env)
  programs.push(running)
  return running
}

const seen = (count: number): Promise<void> =>
  cluster.peers[0]!.until(
    `${count} others`,
    () => [...cluster.peers[0]!.states().values()].filter(state => state === 'alive').length === count
  )

interface Answer {
  epoch: number
  pid: number
  answers: number
}

/** Requests an answer of the service. Retries, because the service may stop under an earlier epoch and start again under the next epoch. */
async function answerOf(service: RunningCommand): Promise<Answer> {
  return await vi.waitFor(async () => {
    const url = [...service.stdout.matchAll(/serves at (\S+)\n/g)].at(-1)?.[1]
    return (await (await fetch(url ?? 'nowhere')).json()) as Answer
  }, LIMIT_MS)
}

const serves = (service: RunningCommand): Promise<void> =>
  service.until('serves', ({ stdout }) => stdout.includes('serves at'))

describe('the service that runs only at the leader', () => {
  it('the service runs only at the leader, and when the leader is killed, the service starts at the next leader with a higher epoch', async () => {
    const first = lead(2, [example('one-service.mjs'), '0'])
    await serves(first)
    const before = await answerOf(first)
    expect((await answerOf(first)).answers).toBe(2)
    const second = lead(1, [example('one-service.mjs'), '0'])
    await seen(2)
    expect(second.stdout).toBe('')
    first.child.kill('SIGKILL')
    await serves(second)
    const after = await answerOf(second)
    expect(after.epoch).toBeGreaterThan(before.epoch)
    await vi.waitFor(() => expect(isAlive(before.pid)).toBe(false), LIMIT_MS)
    second.child.kill('SIGTERM')
    expect((await second.ended).stdout).toMatch(/serves no more\n$/)
  })

  it('the service runs in a program that is itself a peer, and when this program ends, the service starts in another program', async () => {
    const program = (): RunningCommand => {
      const env = { ...cluster.env, P2P_WORKER_BOOTSTRAP: cluster.peers[0]!.addresses[0] }
      const command = [example('one-service-peer.mjs'), '0']
      const child = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'pipe'] })
      const running = new RunningCommand(child)
      programs.push(running)
      return running
    }
    const pair = [program(), program()]
    const id = async (running: RunningCommand): Promise<string> => {
      await running.until('joined', ({ stdout }) => stdout.includes('has joined'))
      return /peer (\S+) has joined/.exec(running.stdout)?.[1] ?? ''
    }
    const ids = await Promise.all(pair.map(id))
    const [low, high] = ids[0]! < ids[1]! ? pair : pair.toReversed()
    const highest = ids.toSorted().at(-1)!
    await cluster.peers[0]!.follows(highest)
    await serves(high!)
    const before = await answerOf(high!)
    high!.child.kill('SIGTERM')
    expect(await high!.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/serves no more\n$/) })
    await vi.waitFor(() => expect(low!.stdout).toMatch(/serves at \S+\n$/), LIMIT_MS)
    const after = await answerOf(low!)
    expect(after.epoch).toBeGreaterThan(before.epoch)
  })
})

describe('the fenced writer', () => {
  it('when the leader is killed, the fenced writer continues at the next leader with a higher epoch, and the epochs of the entries never decrease', async () => {
    const journal = join(cluster.home, 'journal')
    const entry = (n: number): string => join(journal, `${String(n).padStart(8, '0')}.json`)
    const epochOf = (n: number): number => JSON.parse(readFileSync(entry(n), 'utf8')).token
    const first = lead(2, [example('fenced-writer.mjs'), journal])
    await vi.waitFor(() => expect(existsSync(entry(1))).toBe(true), LIMIT_MS)
    lead(1, [example('fenced-writer.mjs'), journal])
    await seen(2)
    first.child.kill('SIGKILL')
    let count = 1
    await vi.waitFor(() => {
      while (existsSync(entry(count + 1))) count++
      expect(epochOf(count)).toBeGreaterThan(epochOf(1))
    }, LIMIT_MS)
    const epochs = Array.from({ length: count }, (_, i) => epochOf(i + 1))
    expect(epochs).toEqual(epochs.toSorted((a, b) => a - b))
  })
})
