import { readFile } from 'node:fs/promises'
import { expect, vi } from 'vitest'

/** Resolves with the first process id that a command writes into `file`. */
export async function firstPid(file: string): Promise<number> {
  return await vi.waitFor(async () => {
    const [line] = (await readFile(file, 'utf8')).split('\n')
    expect(line).toMatch(/^\d+$/)
    return Number(line)
  }, 60_000)
}
