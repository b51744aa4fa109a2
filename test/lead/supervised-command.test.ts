import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { willKill } from '../../src/lead/signal-group.ts'
import type { StintContext } from '../../src/lead/stint.ts'
import { type CommandEnd, CommandError, superviseCommand } from '../../src/lead/supervised-command.ts'
import { isAlive } from './is-alive.ts'

vi.mock(import('../../src/lead/signal-group.ts'), async original => {
  const all = await original()
  return { ...all, willKill: vi.fn(all.willKill) }
})

let folder: string
let controller: AbortController

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-lead-'))
  controller = new AbortController()
})

afterEach(async () => {
  controller.abort()
  await rm(folder, { recursive: true })
})

function supervise(script: string, change: Partial<StintContext> = {}): Promise<CommandEnd> {
  const context = {
    signal: controller.signal,
    remaining: () => Number.POSITIVE_INFINITY,
    grace: 5_000,
    ...change
  }
  return superviseCommand({ command: 'sh', args: ['-c', script], context, env: { P2P_WORKER_EPOCH: '42' } })
}

const file = (name: string): string => join(folder, name)
const content = async (name: string): Promise<string> => (await readFile(file(name), 'utf8')).trim()
const written = (name: string): Promise<string> =>
  vi.waitFor(async () => {
    const text = await content(name)
    expect(text).not.toBe('')
    return text
  }, 10_000)

describe('a command under supervision', () => {
  test('a supervised command receives its variables, and superviseCommand returns the exit code of the command', async () => {
    expect(await supervise(`echo "$P2P_WORKER_EPOCH" > ${file('epoch')}; exit 7`)).toMatchObject({ code: 7 })
    expect(await content('epoch')).toBe('42')
  })

  test('a supervised command has its peer’s environment without the key and the token', async () => {
    vi.stubEnv('P2P_WORKER_KEY', 'secret')
    vi.stubEnv('P2P_WORKER_TOKEN', 'secret')
    vi.stubEnv('P2P_WORKER_CLUSTER', 'lab')
    await supervise(`env > ${file('env')}`)
    vi.unstubAllEnvs()
    expect(await content('env')).toContain('P2P_WORKER_CLUSTER=lab')
    expect(await content('env')).not.toContain('secret')
  })

  test('the result of a command that a signal ended names the signal', async () => {
    expect(await supervise('kill -USR1 $$')).toMatchObject({ code: null, signal: 'SIGUSR1' })
  })

  test('superviseCommand rejects with ENOENT when the command does not exist', async () => {
    const context = { epoch: 1, signal: controller.signal, remaining: () => 1_000, grace: 100 }
    const missing = superviseCommand({ command: file('missing'), args: [], context })
    await expect(missing).rejects.toThrow(CommandError)
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('a supervised command receives SIGTERM when its leadership is about to end', async () => {
    const ended = supervise(`trap 'exit 3' TERM; echo up > ${file('up')}; while :; do sleep 0.05; done`)
    await written('up')
    controller.abort()
    expect(await ended).toMatchObject({ code: 3 })
  })

  test('a supervised command that outlasts its grace is killed with its whole process group', async () => {
    const script = `trap '' TERM; sh -c "trap '' TERM; echo \\$\\$ > ${file('child')}; sleep 1000" & echo up > ${file('up')}; wait`
    const ended = supervise(script, { grace: 300 })
    const child = await written('child')
    await written('up')
    controller.abort()
    expect(await ended).toMatchObject({ signal: 'SIGKILL' })
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), 10_000)
  })

  test('the process group of a command is killed when the command ends by itself', async () => {
    const ended = await supervise(`sleep 1000 & echo $! > ${file('child')}; exit 0`)
    expect(ended).toMatchObject({ code: 0 })
    const child = await content('child')
    await vi.waitFor(() => expect(isAlive(child)).toBe(false), 10_000)
  })

  test('processes that a stopped command leaves behind may run for the rest of the grace', async () => {
    const child = `trap 'sleep 0.3; echo done > ${file('done')}; exit' TERM; echo up > ${file('up')}; while :; do sleep 0.05; done`
    const ended = supervise(`sh -c "${child.replaceAll('"', '\\"')}" & wait`, { grace: 5_000 })
    await written('up')
    controller.abort()
    await ended
    expect(await content('done')).toBe('done')
  })

  test('when a command cannot be started, superviseCommand rejects with the error code of the system', async () => {
    const context = { epoch: 1, signal: controller.signal, remaining: () => 1_000, grace: 100 }
    const command = `/${'x'.repeat(5_000)}`
    await expect(superviseCommand({ command, args: [], context })).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
  })

  test('a supervised command does not outlive its supervisor', async () => {
    const ended = supervise(`echo $PPID > ${file('supervisor')}; echo $$ > ${file('command')}; sleep 1000`)
    const failed = expect(ended).rejects.toThrow('ended unasked')
    const command = await written('command')
    // A peer can kill the command only after the supervisor has reported the pid of the command.
    await vi.waitFor(() => expect(willKill).toHaveBeenCalledWith(Number(command)), 10_000)
    process.kill(Number(await content('supervisor')), 'SIGKILL')
    await failed
    await vi.waitFor(() => expect(isAlive(command)).toBe(false), 10_000)
  })

  test('a supervised command does not start when its leadership is about to end', async () => {
    const began = performance.now()
    const remaining = (): number => Math.max(0, 110 - (performance.now() - began))
    setTimeout(() => controller.abort(), 1_000)
    const ended = supervise(`echo up > ${file('up')}; sleep 1000`, { remaining, grace: 105 })
    expect(await ended).toMatchObject({ stopped: true, code: null, signal: null })
    await expect(content('up')).rejects.toThrow('ENOENT')
  })

  test('a supervised command is killed before the lease ends if the lease is not renewed', async () => {
    const endsAt = Date.now() + 5_000
    const remaining = (): number => Math.max(0, endsAt - Date.now())
    // The command itself records the last time at which it ran, because this process learns only later that the command has ended.
    const script = `trap '' TERM; while :; do date +%s%3N > ${file('now')}; mv ${file('now')} ${file('alive')}; sleep 0.01; done`
    const ended = await supervise(script, { remaining, grace: 500 })
    expect(ended).toMatchObject({ signal: 'SIGKILL', stopped: true })
    const lastSign = Number(await content('alive'))
    expect(lastSign).toBeGreaterThan(0)
    expect(lastSign).toBeLessThan(endsAt)
  })
})
