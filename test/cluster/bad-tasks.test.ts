import { describe, expect, it } from 'vitest'
import { twoPeers } from './two-peers.ts'

describe('a task that misbehaves', () => {
  const peers = twoPeers()

  it('a job whose run function throws fails, and the error contains the chunk, the message and a stack in the source file', async () => {
    const { code, stdout, stderr } = await peers.naughty('run')
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain('chunk 3')
    expect(stderr).toContain('RangeError: chunk value 3 is out of range')
    expect(stderr).toMatch(/beside\.ts:2:\d+/)
    expect(stderr).toMatch(/naughty\.ts:15:\d+/)
  })

  it('a job fails when a chunk runs out of memory: the error names the chunk and the memory limit, and the peer of the chunk continues', async () => {
    const { code, stderr } = await peers.naughty('memory')
    expect(code).toBe(1)
    expect(stderr).toContain('chunk 3')
    expect(stderr).toContain('ran out of memory (its heap may have 48 MiB: maxHeapMb, --max-heap-mb)')
  })
})
