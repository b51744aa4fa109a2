import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { task, twoPeers } from './two-peers.ts'

describe('run', () => {
  const peers = twoPeers()

  it('run reports the failing function and chunk as JSON', async () => {
    const { code, stdout } = await peers.naughty('run', '--json')
    expect(code).toBe(1)
    const { state, result, error } = JSON.parse(stdout)
    expect({ state, result }).toEqual({ state: 'failed', result: null })
    expect(error).toMatchObject({ name: 'JobFailedError', function: 'run', index: 3 })
  })

  it.each([
    ['split', task('naughty'), '{"what":"split"}', 'split went wrong'],
    ['reduce', task('bad-reduce'), '[1,2,3,4]', 'reduce went wrong'],
    ['finish', task('bad-finish'), '[1]', 'finish went wrong']
  ])('run fails and names %s when that function throws', async (name, file, input, message) => {
    const { code, stderr } = await peers.cluster.run(['run', file, '--input', input])
    expect(code).toBe(1)
    expect(stderr).toContain(name)
    expect(stderr).toContain(message)
  })

  it('run fails when a chunk calls process.exit(): its thread ends, and its peer continues', async () => {
    const { code, stderr } = await peers.naughty('exit')
    expect(code).toBe(1)
    expect(stderr).toContain('chunk 3')
  })

  it('run fails when a partial cannot be cloned, and the error contains the path to the value that cannot be cloned', async () => {
    const { code, stderr } = await peers.naughty('function')
    expect(code).toBe(1)
    expect(stderr).toContain('list[1]')
    expect(stderr).toContain('chunk 3')
  })

  it('run does not crash a peer by an unhandled rejection', async () => {
    // Whether the chunk still runs when the rejection is noticed depends on timing; the checks after each test are what counts.
    const { code } = await peers.naughty('rejection')
    expect([0, 1]).toContain(code)
  })

  it('run is ended by Ctrl-C when a chunk loops forever', async () => {
    const command = peers.cluster.spawn(['run', task('naughty'), '--input', '{"what":"loop"}', '--json'])
    const leader = peers.cluster.byRank()[0]!
    const running = (): number => leader.events.filter(({ state }) => state === 'running').length
    const before = running()
    await leader.until('the job runs', () => running() > before)
    command.child.kill('SIGINT')
    expect((await command.ended).code).toBe(130)
  })

  it('run shows the output of a task on its own stderr, with peer and chunk, and no peer prints it', async () => {
    const { code, stdout, stderr } = await peers.naughty('log')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual([0, 1, 2, 3, 4, 5])
    expect(stderr).toMatch(/chunk 4.*hello from 4/)
    expect(stderr).toMatch(/chunk 2.*and a complaint/)
    for (const peer of peers.cluster.peers) expect(peer.stderr).not.toContain('hello from')
  })

  it('run passes the content of a file to a task, and writes the bytes of the result to --output unchanged', async () => {
    const input = join(peers.cluster.home, 'input.bin')
    const output = join(peers.cluster.home, 'output.bin')
    const bytes = Uint8Array.from({ length: 100 }, (_, i) => (i * 37) % 256)
    await writeFile(input, bytes)
    const { code, stdout } = await peers.cluster.run(['run', task('bytes'), '--input-file', input, '--output', output])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(Uint8Array.from(await readFile(output))).toEqual(bytes)
  })

  it('run refuses a task that is missing, does not compile or lacks run with exit 2, before the submission', async () => {
    const broken = join(peers.cluster.home, 'broken.ts')
    await writeFile(broken, 'export default {')
    for (const [file, message] of [
      ['nowhere.ts', 'nowhere.ts'],
      [broken, 'broken.ts:1'],
      [task('no-run'), 'run']
    ] as const) {
      const { code, stderr } = await peers.cluster.run(['run', file])
      expect(code).toBe(2)
      expect(stderr).toContain(message)
    }
  })
})
