import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { builtFile } from '../../src/built-file.ts'

it('is all that a thread loads by `require`: Node 20 aborts when a thread ends while it so loads what has imports', () => {
  const entry = builtFile('tasks/thread-entry.cjs')
  const program = `const names = Object.keys(require(${JSON.stringify(entry)}))
    console.log(JSON.stringify({ names, loaded: Object.keys(require.cache) }))`
  const found = JSON.parse(execFileSync(process.execPath, ['-e', program], { encoding: 'utf8' }))
  expect(found).toEqual({
    names: ['runBatch', 'runDriver', 'runInspection', 'runNothing', 'runWhole'],
    loaded: [entry]
  })
})
