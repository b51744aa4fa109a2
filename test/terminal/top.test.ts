import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { textWidth } from '../../src/cli/terminal/text-width.ts'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Terminal } from './terminal.ts'

let cluster: ProcessCluster
let terminal: Terminal | undefined

const short = (id: string): string => id.slice(-8)
const bootstrap = (): string => cluster.live.flatMap(({ addresses }) => ['--bootstrap', addresses[0]!]).join(' ')

/**
 * Starts a terminal whose shell runs `top` and then prints its exit code.
 *
 * @param before - commands that the shell runs before `top`
 */
async function showTop(columns = 80, rows = 24, env: Record<string, string> = {}, before = ''): Promise<Terminal> {
  const { P2P_WORKER_KEY, P2P_WORKER_CLUSTER } = cluster.env as Record<string, string>
  terminal = await Terminal.start({ columns, rows, env: { P2P_WORKER_KEY, P2P_WORKER_CLUSTER, ...env } as never })
  await terminal.enter('echo "before" "top"')
  await terminal.waitFor('before top')
  await terminal.enter(
    `${before}sh -c 'echo $$ > "$HOME/pid"; exec p2p-worker top --no-mdns ${bootstrap()}'; echo "ended $?"`
  )
  await terminal.waitFor('quit')
  return terminal
}

/** Returns the process id of `top`. */
function pidOf({ home }: Terminal): number {
  return Number(readFileSync(join(home, 'pid'), 'utf8'))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Returns the row of the member with this id. */
async function memberRow(of: Terminal, id: string): Promise<string> {
  return (await of.rows()).find(row => row.includes(short(id)) && /auto|alive|dead/.test(row)) ?? ''
}

/** Starts a job that runs until the file `until` exists. */
function startJob(
  name: string,
  { n, ms = 50 }: { n: number; ms?: number }
): { until: string; run: ReturnType<ProcessCluster['spawn']> } {
  const until = join(cluster.home, name)
  const input = JSON.stringify({ n, ms, until })
  return { until, run: cluster.spawn(['run', 'test/cluster/tasks/sleep-sum.ts', '--input', input]) }
}

async function jobs(): Promise<Array<{ jobId: string; state: string }>> {
  return JSON.parse((await cluster.run(['jobs', '--json'])).stdout)
}

needs('tmux', 'bash').describe('top', () => {
  beforeAll(async () => {
    cluster = await ProcessCluster.start(3)
    await cluster.settled()
  })

  afterEach(async () => {
    await terminal?.stop()
    terminal = undefined
  })

  afterAll(() => cluster.stop())

  it.each([
    [80, 24],
    [120, 40],
    [40, 10]
  ])('`top` shows the members and leader of `status` at %i×%i and after a resize', async (columns, rows) => {
    const terminal = await showTop(columns, rows)
    const status = JSON.parse((await cluster.run(['status', '--json'])).stdout)
    const check = async (): Promise<void> => {
      await terminal.waitFor(screen => screen.includes(`★ ${short(status.leader)}`))
      await terminal.waitFor(`leader ${short(status.leader)} (epoch ${status.epoch})`)
      // A slow member may be suspect for a short time.
      for (const { peerId } of status.members.slice(0, 2))
        await expect.poll(() => memberRow(terminal, peerId)).toMatch(/● alive/)
    }
    await check()
    for (const [width, height] of [
      [100, 30],
      [50, 12],
      [columns, rows]
    ] as const) {
      await terminal.resize(width, height)
      await expect.poll(async () => (await terminal.rows()).at(-1)).toMatch(/^q quit/)
      expect(await terminal.rows()).toHaveLength(height)
      for (const row of await terminal.rows()) expect(textWidth(row)).toBeLessThanOrEqual(width)
      await check()
    }
    await terminal.resize(39, 10)
    await terminal.waitFor('too small: 39×10')
    await terminal.resize(columns, rows)
    await check()
  })

  it('`top` assumes 80×24 for a terminal of unknown size', async () => {
    const terminal = await showTop(80, 24, {}, 'stty cols 0 rows 0; ')
    await terminal.waitFor(/^★ leader \w{8}/)
    expect((await terminal.rows()).at(-1)).toMatch(/^q quit/)
  })

  it('`top` shows the progress of a job, and cancels it when c and y are pressed', async () => {
    const terminal = await showTop()
    // The job has so few chunks that `split` yields all chunks at the start, so `top` can show a percentage.
    const { run } = startJob('never', { n: 40, ms: 1_500 })
    const percent = (screen: string): number => Number(/sleep-sum +» running +█*░+ +(\d+)%/.exec(screen)?.[1] ?? -1)
    const first = percent(await terminal.waitFor(screen => percent(screen) >= 0))
    await terminal.waitFor(screen => percent(screen) > first)
    expect(await terminal.screen()).toMatch(/slots [█░]+ [1-3]\/3/)
    await terminal.press('Tab', 'c')
    await terminal.waitFor(/y\/n cancel job \w{8} \(sleep-sum\)/)
    await terminal.press('n')
    await terminal.waitFor(screen => !screen.includes('y/n'))
    await terminal.press('c', 'y')
    await terminal.waitFor(/job [\w-]+ is cancelled/)
    expect((await run.ended).code).toBe(1)
    expect((await jobs()).map(({ state }) => state)).toEqual(['cancelled'])
    await terminal.waitFor('■ cancelled')
  })

  it('when `top` ends, it restores the terminal and leaves no process behind', async () => {
    for (const [end, code] of [
      ['q', 0],
      ['C-c', 0]
    ] as const) {
      const terminal = await showTop()
      const pid = pidOf(terminal)
      expect(await terminal.screen()).not.toContain('before top')
      await terminal.press(end)
      const screen = await terminal.waitFor(`ended ${code}`)
      expect(screen).toContain('before top')
      expect(screen).not.toContain('MEMBER')
      expect(isRunning(pid)).toBe(false)
      // After `top`, the terminal echoes typed text again.
      await terminal.enter('stty -a | grep -c " echo "')
      await terminal.waitFor(/^1$/m)
      await terminal.stop()
    }
  })

  it.each([
    ['SIGTERM', 130],
    ['SIGHUP', 129],
    ['SIGQUIT', 131]
  ] as const)('`top` restores the terminal when %s ends it', async (signal, code) => {
    const terminal = await showTop()
    process.kill(pidOf(terminal), signal)
    const screen = await terminal.waitFor(`ended ${code}`)
    expect(screen).toContain('before top')
    expect(screen).not.toContain('MEMBER')
  })

  it('`top` ends when its terminal is closed', async () => {
    const terminal = await showTop()
    const pid = pidOf(terminal)
    await terminal.stop()
    await expect.poll(() => isRunning(pid)).toBe(false)
  })

  it('`top` keeps the scrollback of the terminal', async () => {
    const terminal = await showTop(80, 12)
    await terminal.press('q')
    await terminal.waitFor('ended 0')
    await terminal.enter('clear; seq 100; echo "scrolled" "away"')
    await terminal.waitFor('scrolled away')
    await terminal.enter(`p2p-worker top --no-mdns ${bootstrap()}; echo "ended again $?"`)
    await terminal.waitFor('★')
    await terminal.resize(60, 10)
    await terminal.waitFor('★')
    await terminal.press('q')
    await terminal.waitFor('ended again 0')
    expect(await terminal.history()).toMatch(/^1\n2\n3\n/m)
  })

  it('`top` stops after Ctrl-Z, and continues after fg', async () => {
    const terminal = await showTop()
    await terminal.press('C-z')
    expect(await terminal.waitFor('Stopped')).not.toContain('MEMBER')
    await terminal.enter('fg')
    await terminal.waitFor(screen => screen.includes('MEMBER') && screen.includes('★'))
    await terminal.press('q')
    await terminal.waitFor(/ended \d+/)
  })

  it('if NO_COLOR is set, `top` shows the same words without colours', async () => {
    const coloured = await showTop()
    await coloured.waitFor('● alive')
    // The escape sequence for a colour ends in "m".
    expect(await coloured.coloured()).toMatch(/\[[\d;]+m● alive/)
    await coloured.stop()
    const plain = await showTop(80, 24, { NO_COLOR: '1' })
    await plain.waitFor('● alive')
    expect(await plain.coloured()).not.toContain('\u001b')
  })

  it('`top` without a terminal names the commands to use instead', async () => {
    const { code, stdout, stderr } = await cluster.run(['top'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/status --json.*members --watch/)
  })

  it('`top` shows a killed leader, the next leader, and the resumed job', async () => {
    const terminal = await showTop(100, 30)
    const [leader, next] = cluster.byRank() as [PeerProcess, PeerProcess]
    const { until, run } = startJob('over', { n: 3_000 })
    await terminal.waitFor('running')
    leader.child.kill('SIGKILL')
    await terminal.waitFor(`member ${short(leader.id)} is dead`)
    await terminal.waitFor(`${short(next.id)} leads (epoch`)
    await terminal.waitFor(
      screen => screen.includes(`★ ${short(next.id)}`) && screen.includes(`leader ${short(next.id)}`)
    )
    expect(await memberRow(terminal, leader.id)).toContain('✕ dead')
    await terminal.waitFor('resumed under the new leader')
    writeFileSync(until, '')
    expect(await run.ended).toMatchObject({ code: 0, stdout: '4498500\n' })
    await terminal.waitFor('√ completed')
  })

  it('`top` reports that it has lost the cluster, and continues when the cluster is back', async () => {
    const terminal = await showTop(100, 30)
    const before = cluster.live
    for (const peer of before) peer.child.kill('SIGSTOP')
    await terminal.waitFor(/NO PEER for|OLD: /)
    await terminal.waitFor(/NO PEER for/)
    for (const peer of before) peer.child.kill('SIGCONT')
    await terminal.waitFor(screen => /attached to peer/.test(screen) && !/NO PEER|OLD/.test(screen))
    await terminal.press('q')
    await terminal.waitFor('ended 0')
  })
})
