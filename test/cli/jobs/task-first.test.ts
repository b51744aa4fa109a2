import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { generateClusterKey } from '../../../src/network/cluster-key.ts'
import { bareEnvironment, type Finished, start } from '../process.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  await writeFile(join(folder, 'broken.ts'), 'export default { run( }')
  await writeFile(join(folder, 'no-run.ts'), "export default { name: 'x', split: () => [1] }")
  await writeFile(join(folder, 'fine.ts'), 'export default { run: (n: number) => n }')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

function search(command: string, task: string, wait: string, more: NodeJS.ProcessEnv = {}): Promise<Finished> {
  const environment = bareEnvironment(folder, { P2P_WORKER_KEY: generateClusterKey(), ...more })
  return start([command, join(folder, task), '--no-mdns', '--wait', wait], environment).finished
}

describe.each(['run', 'map'])('%s looks for its cluster while it compiles the task', command => {
  it.each(['broken.ts', 'no-run.ts'])(
    'the command reports the error in %s before it reports that there is no cluster',
    async task => {
      const { code, stderr } = await search(command, task, '0')
      expect(stderr).toContain(basename(task, '.ts'))
      expect(stderr).not.toContain('no cluster')
      expect(code).toBe(2)
    }
  )

  it('the command ends its search for a cluster when the task is broken', async () => {
    const { code, stderr } = await search(command, 'broken.ts', '24h')
    expect(stderr).toContain('broken.ts')
    expect(code).toBe(2)
  })

  it('the command reports the error in the task before it reports that there is no key', async () => {
    const { code, stderr } = await search(command, 'broken.ts', '0', { P2P_WORKER_KEY: '' })
    expect(stderr).toContain('broken.ts')
    expect(code).toBe(2)
  })

  it('the command reports that there is no cluster when the task is fine', async () => {
    const { code, stderr } = await search(command, 'fine.ts', '0')
    expect(stderr).toContain('no cluster')
    expect(code).toBe(3)
  })
})
