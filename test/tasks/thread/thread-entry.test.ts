import { execFileSync } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import { builtFile } from '../../../src/common/built-file.ts'
import { ThreadPool } from '../../../src/tasks/execute/thread-pool.ts'

const made: Array<{ filename: string; name: string }> = []
vi.mock('piscina', () => ({
  Piscina: class {
    constructor(options: { filename: string; name: string }) {
      made.push(options)
    }
    on(): void {}
  }
}))

// In about one of fifty runs Node 20 aborts when a thread ends while it loads a module whose imports come by `require`.
it('a thread loads only its entry by `require`', () => {
  new ThreadPool({ threads: 1, settings: { external: [], cwd: '/', lenient: false }, keep: true })
  const { filename, name } = made[0]!
  const program = `const entry = require(${JSON.stringify(filename)})
    console.log(JSON.stringify({ names: Object.keys(entry), loaded: Object.keys(require.cache) }))`
  const { names, loaded } = JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }))
  expect(loaded).toEqual([filename])
  expect(names).toEqual(['runBatch', 'runDriver', 'runInspection', 'runNothing', 'runResult', 'runWhole'])
  // Otherwise piscina also looks for the function by `import`.
  expect(names).toContain(name)
  expect(filename).toBe(builtFile('tasks/thread/thread-entry.cjs'))
})
