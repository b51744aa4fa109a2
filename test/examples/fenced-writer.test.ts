import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

interface Entry {
  token: number
  text: string
}

const example = fileURLToPath(new URL('../../examples/fenced-writer.mjs', import.meta.url))
const store = new URL('../../examples/fenced-store.mjs', import.meta.url).href
const {
  append,
  entriesOf,
  FencedError
}: {
  append: (folder: string, entry: { token: number; text: unknown }) => void
  entriesOf: (folder: string) => Entry[]
  FencedError: new () => Error
} = await import(store)
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-fence-'))
})

afterEach(() => rm(folder, { recursive: true }))

const tokens = (): number[] => entriesOf(folder).map(({ token }) => token)
const environment = (token: number): NodeJS.ProcessEnv => ({ ...process.env, P2P_WORKER_FENCE: String(token) })

/** Runs the example, which writes one entry as the holder with this token. */
function write(token: number): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, [example, folder, '1'], { env: environment(token), encoding: 'utf8' })
}

test('the fenced writer appends after entries of smaller tokens, and is refused after a writer with a larger token has written', async () => {
  expect(write(3).status).toBe(0)
  expect(write(3).status).toBe(0)
  expect(write(5).status).toBe(0)
  expect(write(3)).toMatchObject({ status: 1, stderr: 'token 3 is old: a writer with a larger one has written\n' })
  expect((await readdir(folder)).sort()).toEqual(['00000001.json', '00000002.json', '00000003.json'])
  expect(tokens()).toEqual([3, 3, 5])
})

test('a writer is refused if it was paused while a writer with a larger token wrote', async () => {
  const late = spawn(process.execPath, [example, folder], { env: environment(1), stdio: ['ignore', 'ignore', 'pipe'] })
  try {
    let stderr = ''
    late.stderr.on('data', data => {
      stderr += data
    })
    const ended = once(late, 'close')
    await vi.waitFor(() => expect(existsSync(join(folder, '00000001.json'))).toBe(true), 60_000)
    late.kill('SIGSTOP')
    const before = tokens().length
    expect(write(2).status).toBe(0)
    late.kill('SIGCONT')
    expect(await ended).toEqual([1, null])
    expect(stderr).toBe('token 1 is old: a writer with a larger one has written\n')
    expect(tokens()).toEqual([...new Array<number>(before).fill(1), 2])
  } finally {
    late.kill('SIGKILL')
  }
})

test('a writer is refused if it was paused after it read the journal, while a writer with a larger token wrote', () => {
  append(folder, { token: 1, text: 'before' })
  const meanwhile = {
    // This method runs while the entry is serialized, after the writer has read the last entry and before the writer writes the new entry.
    toJSON() {
      append(folder, { token: 2, text: 'meanwhile' })
      return 'late'
    }
  }
  expect(() => append(folder, { token: 1, text: meanwhile })).toThrow(FencedError)
  expect(entriesOf(folder)).toEqual([
    { token: 1, text: 'before' },
    { token: 2, text: 'meanwhile' }
  ])
})

test('a writer without a token writes nothing', async () => {
  expect(() => append(folder, { token: Number(undefined), text: 'whose?' })).toThrow('a token is a whole number')
  expect(await readdir(folder)).toEqual([])
})

test('the epoch of a leadership is a token, too', () => {
  const { P2P_WORKER_FENCE: _, ...env } = process.env
  const { status } = spawnSync(process.execPath, [example, folder, '1'], { env: { ...env, P2P_WORKER_EPOCH: '7' } })
  expect({ status, tokens: tokens() }).toEqual({ status: 0, tokens: [7] })
})
