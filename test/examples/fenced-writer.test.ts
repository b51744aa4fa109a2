import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const example = fileURLToPath(new URL('../../examples/fenced-writer.mjs', import.meta.url))
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-fence-'))
})

afterEach(() => rm(folder, { recursive: true }))

/** One entry by the leader of this epoch. */
function write(epoch: number): { status: number | null; stderr: string } {
  const env = { ...process.env, P2P_WORKER_EPOCH: String(epoch) }
  return spawnSync(process.execPath, [example, folder, '1'], { env, encoding: 'utf8' })
}

test('the fenced writer adds to what earlier leaders wrote, and is refused once a newer one has written', async () => {
  expect(write(3).status).toBe(0)
  expect(write(3).status).toBe(0)
  expect(write(5).status).toBe(0)
  const late = write(3)
  expect(late.status).not.toBe(0)
  expect(late.stderr).toContain('epoch 3 is over: epoch 5 writes now')
  const files = (await readdir(folder)).sort()
  const epochs = await Promise.all(
    files.map(async file => JSON.parse(await readFile(join(folder, file), 'utf8')).epoch)
  )
  expect(files).toEqual(['00000001.json', '00000002.json', '00000003.json'])
  expect(epochs).toEqual([3, 3, 5])
})
