import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../../src/exec/run-command.ts'

const never = new AbortController().signal
const run = (command: string, more: { timeout?: number; mostOutput?: number; env?: NodeJS.ProcessEnv } = {}) =>
  runCommand(command, { timeout: undefined, signal: never, ...more })
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

/** Resolves when the process has ended. */
async function isGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise(resolve => setImmediate(resolve))
  }
}

async function pidIn(path: string): Promise<number> {
  const pid = Number(await readFile(path, 'utf8'))
  expect(pid).toBeGreaterThan(0)
  return pid
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'p2p-worker-exec-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

test('a command’s stdout and stderr arrive separately, byte for byte', async () => {
  const end = await run("printf 'a\\377b'; echo oh >&2")
  expect(Buffer.from(end.stdout)).toEqual(Buffer.from([0x61, 0xff, 0x62]))
  expect(text(end.stderr)).toBe('oh\n')
  expect(end).toMatchObject({ code: 0, failure: undefined })
})

test('the stdin of a command is empty', async () => {
  expect(text((await run('cat; echo end')).stdout)).toBe('end\n')
})

test('the result of a failed command contains the reason and the output', async () => {
  const end = await run('echo half; exit 7')
  expect(end).toMatchObject({ code: 7, failure: 'exit code 7' })
  expect(text(end.stdout)).toBe('half\n')
  expect((await run('kill -9 $$')).failure).toBe('it was ended by SIGKILL')
  expect((await run('no-such-command-anywhere')).failure).toBe('exit code 127')
})

test('a command’s output of 20 MB arrives completely', async () => {
  const { stdout, failure } = await run('head -c 20000000 /dev/zero')
  expect(failure).toBeUndefined()
  expect(stdout.byteLength).toBe(20_000_000)
})

test('a command that exceeds its output limit fails', async () => {
  expect((await run('yes', { mostOutput: 100_000 })).failure).toBe('it printed more than 100000 bytes')
})

test('when a command exceeds its timeout, its whole process group is killed, even if a process ignores SIGTERM', async () => {
  const path = join(await folder(), 'pid')
  const { failure } = await run(`(trap '' TERM; sh -c 'echo $$ > ${path}; exec sleep 1000') & wait`, { timeout: 5_000 })
  expect(failure).toBe('it ran for more than 5000 ms')
  await isGone(await pidIn(path))
})

test('a command ends at its timeout even if a process that left the process group keeps running', async () => {
  const path = join(await folder(), 'pid')
  const { failure } = await run(`setsid sh -c 'echo $$ > ${path}; exec sleep 1000' & wait`, { timeout: 5_000 })
  expect(failure).toBe('it ran for more than 5000 ms')
  process.kill(await pidIn(path), 'SIGKILL')
})

test('a command that cannot start fails with the reason', async () => {
  expect(await run('echo a\0b')).toMatchObject({ code: undefined, failure: 'a command cannot hold a NUL character' })
  expect((await run(`echo ${'x'.repeat(200_000)}`)).failure).toContain('the command is longer than the system takes')
})

test('a command has the caller’s environment and the added variables', async () => {
  const { stdout } = await run('echo "$PATH,$P2P_WORKER_INDEX"', { env: { P2P_WORKER_INDEX: '7' } })
  expect(text(stdout)).toBe(`${process.env.PATH},7\n`)
})

test('when a command is cancelled, its whole process group is killed', async () => {
  const path = join(await folder(), 'pid')
  const cancel = new AbortController()
  const ended = runCommand(`sh -c 'echo $$ > ${path}; echo; exec sleep 1000'; true`, {
    timeout: undefined,
    signal: cancel.signal
  })
  ended.catch(() => {})
  let pid = 0
  while (pid === 0) {
    pid = Number(await readFile(path, 'utf8').catch(() => 0))
    await new Promise(resolve => setImmediate(resolve))
  }
  cancel.abort(new Error('enough'))
  await expect(ended).rejects.toThrow('enough')
  await isGone(pid)
})
