import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { textWidth } from '../../src/cli/terminal/text-width.ts'
import { ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Terminal } from './terminal.ts'

/** A task whose chunks, from chunk `gate` on, wait until a file exists. The first chunk of the task prints a line. */
const SLOW = `import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
export default {
  split: function* (input) { for (let n = 0; n < input.chunks; n++) yield { n, ...input } },
  run: async ({ n, gate, file }) => {
    if (n === 0) console.log('a line of the task')
    while (n >= gate && !existsSync(file)) await setTimeout(50)
    return n
  },
  initial: 0,
  reduce: (sum, n) => sum + n
}
`

let cluster: ProcessCluster
let terminal: Terminal | undefined

needs('tmux', 'bash').describe('on a terminal', () => {
  beforeAll(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
  })
  afterEach(() => terminal?.stop())
  afterAll(() => cluster?.stop())

  async function start(columns: number, rows: number, env: Record<string, string> = {}): Promise<Terminal> {
    const { P2P_WORKER_KEY, P2P_WORKER_CLUSTER } = cluster.env as Record<string, string>
    const [address] = cluster.peers[0]!.addresses
    const variables = { P2P_WORKER_BOOTSTRAP: address!, P2P_WORKER_NO_MDNS: '1', P2P_WORKER_KEY, P2P_WORKER_CLUSTER }
    terminal = await Terminal.start({ columns, rows, env: { ...variables, ...env } as Record<string, string> })
    await writeFile(join(terminal.home, 'slow.ts'), SLOW)
    await terminal.enter('cd; clear')
    return terminal
  }

  const slow = (on: Terminal, chunks: number, gate: number): string =>
    `p2p-worker run slow.ts --input '${JSON.stringify({ chunks, gate, file: join(on.home, 'go') })}' | tr -d '\\n'`

  it('`run` shows its progress on one line that follows the width of the terminal, and prints a summary at the end', async () => {
    const on = await start(80, 24)
    // The command is in a file, because a typed command could match the expected output.
    await writeFile(join(on.home, 'job.sh'), `${slow(on, 100, 60)}; echo " exit \${PIPESTATUS[0]}"\n`)
    await on.enter('bash job.sh')
    const screen = await on.waitFor(/\d+% {2}\d+\/100 chunks · .*\d peers? · /)
    const line = screen.split('\n').at(-1)!
    expect(line).toMatch(/^█*░+ \d+% {2}/)
    expect(textWidth(line)).toBeLessThanOrEqual(80)
    // The output of the task appears above the progress line, and is not cut.
    await on.waitFor(/^\[\w{8} chunk 0\] a line of the task$/m)
    await on.resize(40, 24)
    await on.waitFor(text => /^\d+% {2}\d+\/100/.test(text.split('\n').at(-1)!))
    await on.resize(80, 24)
    await on.waitFor(text => /^█*░+ \d+% {2}/.test(text.split('\n').at(-1)!))
    await writeFile(join(on.home, 'go'), '')
    const end = await on.waitFor(' exit 0')
    expect(end).toContain('4950')
    expect(end).toMatch(/100 chunks · [123] peers? · 0 retries · \d/)
    // The screen no longer shows the progress line.
    expect(end).not.toMatch(/[█░]/)
  })

  it('`map` counts the lines of an input of unknown length', async () => {
    const on = await start(80, 24)
    await writeFile(join(on.home, 'twice.ts'), 'export default { run: line => line + line }\n')
    await on.enter('(seq 3; cat go) | p2p-worker map twice.ts > out; cat out | tr "\\n" ,; echo " exit"')
    await on.waitFor('11,22,33, exit')
    expect(await on.screen()).toMatch(/3 lines · 0 retries · \d/)
  })

  it('`map` never overwrites command output that lacks a line end, neither while it waits nor at its end', async () => {
    const on = await start(80, 24)
    // `cat` keeps the input open until the test has written to the FIFO.
    await on.enter('mkfifo go; clear; (seq 3; cat go) | p2p-worker map --exec "printf item%s, {}"; echo " exit $?"')
    await on.waitFor('item1,item2,item3,')
    await writeFile(join(on.home, 'go'), '4\n')
    expect(await on.waitFor('exit 0')).toMatch(/item1,item2,item3,\s*item4,\n4 lines · 0 retries · \d/)
  })

  it('commands respect NO_COLOR and TERM=dumb', async () => {
    const on = await start(80, 24, { NO_COLOR: '1' })
    await on.enter('p2p-worker status; p2p-worker jion')
    await on.waitFor('Did you mean join?')
    expect(await on.coloured()).not.toMatch(/38;5|\[1m/)
    await writeFile(join(on.home, 'go'), '')
    await writeFile(join(on.home, 'job.sh'), `clear; TERM=dumb ${slow(on, 10, 5)}; echo " exit $?"\n`)
    await on.enter('bash job.sh')
    expect(await on.waitFor(' exit 0')).not.toContain('chunks')
  })

  it('the output of `status` fits the width, names the state of each member, and colours live members blue', async () => {
    const on = await start(80, 24)
    // A slow member may be suspect for a short time, so the test retries. The number distinguishes the screens of the tries.
    let tries = 0
    const screen = await vi.waitFor(
      async () => {
        tries += 1
        await on.enter(`clear; p2p-worker status; echo "exit $?, ${tries}"`)
        const screen = await on.waitFor(`exit 0, ${tries}`)
        expect(screen.match(/ alive /g)).toHaveLength(3)
        return screen
      },
      { timeout: 60_000 }
    )
    expect(screen).toMatch(/^cluster test: 3 live, 3 slots, leader \w{8} \(epoch \d+\)$/m)
    for (const line of screen.split('\n')) expect(textWidth(line)).toBeLessThanOrEqual(80)
    expect(await on.coloured()).toContain('38;5;32malive')
  })

  it('`members --watch` redraws in place, and does not scroll if there are more members than rows', async () => {
    const on = await start(70, 6)
    await on.enter('clear; p2p-worker members --watch')
    const screen = await on.waitFor(/… and 2 more/)
    expect(screen).toMatch(/^cluster test: 3 live/)
    await on.resize(100, 20)
    const all = await on.waitFor(text => text.match(/ alive /g)?.length === 3)
    expect(all).toMatch(/^cluster test: 3 live/)
    expect(all).not.toContain('more')
    expect((await on.history()).match(/cluster test/g)).toHaveLength(1)
    await on.press('C-c')
    await on.waitFor(/\$ *$/)
  })
})
