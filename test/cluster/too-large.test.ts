import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ProcessCluster } from './processes.ts'

describe('peers that allow payloads of 2 MiB', () => {
  let cluster: ProcessCluster

  beforeAll(async () => {
    cluster = await ProcessCluster.start(2, ['--max-payload-mb', '2'])
    await cluster.settled()
  })

  afterAll(() => cluster.stop())

  const large = (...args: string[]) => cluster.run(['run', 'test/cluster/tasks/large.ts', ...args])

  it.each([
    ['chunk', 'split failed on chunk 2', 'yield smaller chunks'],
    ['partial', 'run failed on chunk 2', 'return less'],
    ['result', 'finish failed', 'return less']
  ])(
    'a job whose %s exceeds the payload limit fails, and the error names the function, the size, the limit, the peer and advice',
    async (what, where, advice) => {
      const fits = await large('--input', JSON.stringify({ [what]: 1.9 }), '--output', join(cluster.home, 'output'))
      expect(fits).toMatchObject({ code: 0, stderr: '' })
      const { code, stdout, stderr } = await large('--input', JSON.stringify({ [what]: 3 }))
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(
        `${where}: MessageTooLargeError: the ${what} has 3.01 MiB, more than the 2 MiB that peer `
      )
      expect(stderr).toContain(`${advice}, or start the peers with a larger --max-payload-mb`)
      expect(cluster.live.some(({ id }) => stderr.includes(id))).toBe(true)
      expect(cluster.live).toHaveLength(2)
    }
  )

  it('a job whose input exceeds the payload limit fails', async () => {
    const input = join(cluster.home, 'input')
    await writeFile(input, new Uint8Array(3 * 2 ** 20))
    const { code, stderr } = await large('--input-file', input)
    expect(code).toBe(1)
    expect(stderr).toContain('the input has 3.01 MiB, more than the 2 MiB that peer ')
    expect(stderr).toContain('--max-payload-mb')
  })
})
