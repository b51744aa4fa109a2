import { totalmem } from 'node:os'
import { expect, test, vi } from 'vitest'
import { usableMemory } from '../../src/api/usable-memory.ts'

test('a process may use the memory of the machine, or less in a container', () => {
  const constrained = vi.spyOn(process, 'constrainedMemory')
  for (const [limit, usable] of [
    [0, totalmem()],
    [2 ** 20, 2 ** 20],
    [2 ** 63, totalmem()]
  ] as const) {
    constrained.mockReturnValue(limit)
    expect(usableMemory()).toBe(usable)
  }
  constrained.mockRestore()
})
