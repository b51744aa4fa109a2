import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtFile } from '../../src/common/built-file.ts'
import type { ExecItem } from '../../src/exec/exec-task.ts'
import type { CommandEnd } from '../../src/exec/run-command.ts'
import { bundleTask } from '../../src/tasks/bundle/bundle.ts'
import { executorOf, folderOf, runValues } from '../tasks/helpers.ts'

const item = (command: string, more: Partial<ExecItem> = {}): ExecItem => ({
  line: command,
  command,
  retries: 0,
  timeout: undefined,
  ...more
})

async function runItems(items: ExecItem[], signal?: AbortSignal) {
  const bundle = await bundleTask(builtFile('exec/exec-task.js'))
  const ran = await runValues(await executorOf([bundle]), bundle, items, { signal })
  const ends = items.map((_, index) => (ran.partials.get(index) as { end: CommandEnd } | undefined)?.end)
  return { ...ran, ends }
}

const text = (end: CommandEnd | undefined) => Buffer.from(end!.stdout).toString()

test('the exec task returns the output and the failure of each command', async () => {
  const { ends } = await runItems([item('echo one'), item('exit 3'), item('echo two >&2; echo three')])
  expect(ends.map(text)).toEqual(['one\n', '', 'three\n'])
  expect(ends.map(end => end!.failure)).toEqual([undefined, 'exit code 3', undefined])
})

test('a failed command is retried at most as often as its `retries` option allows', async () => {
  const folder = await folderOf({})
  const file = join(folder, 'tries')
  const { ends } = await runItems([item(`echo x >> ${file}; test $(wc -l < ${file}) -ge 3`, { retries: 5 })])
  expect(ends[0]!.failure).toBeUndefined()
  expect(await readFile(file, 'utf8')).toBe('x\nx\nx\n')
  const failing = join(folder, 'failing')
  expect((await runItems([item(`echo x >> ${failing}; false`, { retries: 1 })])).ends[0]!.failure).toBe('exit code 1')
  expect(await readFile(failing, 'utf8')).toBe('x\nx\n')
})

test('a command gets the environment of its peer without the cluster key, and the index of its input line', async () => {
  process.env.P2P_WORKER_KEY = 'secret'
  try {
    const { ends } = await runItems([item('true'), item('echo "$P2P_WORKER_KEY,$PATH,$P2P_WORKER_INDEX"')])
    expect(text(ends[1])).toBe(`,${process.env.PATH},1\n`)
  } finally {
    delete process.env.P2P_WORKER_KEY
  }
})

test('a command ends when its job is cancelled', async () => {
  const folder = await folderOf({})
  const started = join(folder, 'started')
  const cancel = new AbortController()
  const running = runItems([item(`echo $$ > ${started}; sleep 1000`)], cancel.signal)
  running.catch(() => {})
  let pid = 0
  while (pid === 0) {
    if (existsSync(started)) pid = Number(await readFile(started, 'utf8'))
    await new Promise(resolve => setImmediate(resolve))
  }
  cancel.abort(new Error('enough'))
  await running.catch(() => {})
  while (existsSync(`/proc/${pid}`)) await new Promise(resolve => setImmediate(resolve))
})
