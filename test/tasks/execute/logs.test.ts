import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { executorOf, moduleOf, runValues } from '../helpers.ts'

const logsOf = async (body: string, values: unknown[] = [0]) => {
  const bundle = moduleOf(`export default { async run (chunk, { log, index }) { ${body} } }`)
  const { logs } = await runValues(await executorOf([bundle]), bundle, values)
  return logs
}

describe('what a task prints', () => {
  it('printed text arrives line by line, with the function, the chunk and the stream of each line', async () => {
    const logs = await logsOf(
      `
      log('at %d:', index, { a: [1] })
      console.log('two\\nlines')
      console.error('bad')
      process.stdout.write('in ')
      await new Promise(resolve => setTimeout(resolve, 1))
      process.stdout.write(Buffer.from('parts\\nrest'))
      if (chunk === 1) console.table([[1]])`,
      [0]
    )
    expect(logs).toEqual([
      { function: 'run', index: 0, stream: 'stdout', line: 'at 0: { a: [ 1 ] }' },
      { function: 'run', index: 0, stream: 'stdout', line: 'two' },
      { function: 'run', index: 0, stream: 'stdout', line: 'lines' },
      { function: 'run', index: 0, stream: 'stderr', line: 'bad' },
      { function: 'run', index: 0, stream: 'stdout', line: 'in parts' },
      { function: 'run', index: 0, stream: 'stdout', line: 'rest' }
    ])
  })

  it('text that asynchronous code prints belongs to its chunk, and text that the top level prints belongs to the function load', async () => {
    const bundle = moduleOf(`
      console.log('hello')
      export default { async run (chunk) { await null; await new Promise(done => setImmediate(() => { console.log(chunk); done() })) } }`)
    const { logs } = await runValues(await executorOf([bundle]), bundle, ['a', 'b'])
    expect(logs.map(({ function: fn, index, line }) => [fn, index, line])).toEqual([
      ['load', undefined, 'hello'],
      ['run', 0, 'a'],
      ['run', 1, 'b']
    ])
  })

  it('text that a chunk prints arrives even if the chunk then ends the thread', async () => {
    const bundle = moduleOf("export default { run () { process.stdout.write('last words'); process.exit() } }")
    const { logs } = await runValues(await executorOf([bundle]), bundle, [0])
    expect(logs.map(({ line }) => line)).toEqual(['last words'])
  })

  it('printed text is limited to 8 KiB a line and 1,000 lines a second, and the number of dropped lines is reported', async () => {
    // A stopped clock puts all lines into one second, however slow the machine is.
    const logs = await logsOf(`
      const now = performance.now(); performance.now = () => now
      log('x'.repeat(100_000)); for (let i = 0; i < 5000; i++) log(i)`)
    expect(logs[0]?.line.length).toBe(8 * 1024 + 1)
    expect(logs).toHaveLength(1001)
    expect(logs.at(-1)?.line).toBe('(4001 lines dropped: more than 1000 a second)')
  })

  it("printed text never mixes into the output of the peer's process, not even warnings and text printed after the chunk", () => {
    const url = (name: string) => JSON.stringify(new URL(`../../../dist/tasks/${name}.js`, import.meta.url).href)
    const script = `
      import { CodeStore, codeHash } from ${url('execute/code-store')}
      import { Executor } from ${url('executor')}
      import { packIndexed } from ${url('values/pack')}
      import { encode } from ${url('values/payload')}
      const code = Buffer.from(\`
        console.log('load'); process.emitWarning('careful')
        export default { run () {
          console.log('out'); console.error('err'); process.emitWarning('again'); console.trace('here')
          setTimeout(() => { console.log('late'); Promise.reject(new Error('late')) }, 20)
          return 1
        } }\`)
      const codeStore = new CodeStore()
      await codeStore.put(codeHash(code), code)
      const executor = new Executor({ slots: 1, codeStore })
      const chunks = packIndexed([{ index: 0, bytes: encode(0, 'chunk') }])
      let lines = 0
      for (let i = 0; i < 3; i++) {
        await executor.runBatch({ sha256: codeHash(code), chunks }, { onOutcomes() {}, onLog: () => lines++ })
        await new Promise(resolve => setTimeout(resolve, 50))
      }
      await executor.stop()
      await codeStore.stop()
      process.exitCode = lines > 10 ? 0 : 1`
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8'
    })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
