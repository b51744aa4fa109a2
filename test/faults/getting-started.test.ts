/** Runs the commands of docs/getting-started.md unchanged on two hosts. Each step needs at most two commands. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { needs } from '../needs.ts'
import { Hosts } from './hosts.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const LIMIT = { timeout: 60_000, interval: 200 }

const sections = readFileSync(join(root, 'docs/getting-started.md'), 'utf8').split(/^## /m).slice(1)

/** The commands under each heading of the document. */
const steps = new Map(
  sections.map(section => [
    section.split('\n', 1)[0]!,
    [...section.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block!.trim().split('\n'))
  ])
)

it('every step of docs/getting-started.md that uses a cluster needs at most two commands', () => {
  const [install, ...names] = steps.keys()
  expect(install).toBe('Install')
  expect(names).toEqual([
    'Start three peers',
    'Run a job',
    'See who leads',
    'Cancel a job',
    'Join from another host',
    'Write a task of your own',
    'Look at it in the dashboard',
    'Where to go on'
  ])
  for (const name of names) expect([1, 2], name).toContain(steps.get(name)!.length)
})

/** A shell that runs commands on a host, with a home folder for each host. */
class Shell {
  readonly #child: ChildProcess
  readonly ended: Promise<unknown>
  output = ''

  constructor(hosts: Hosts, host: number, folder: string, command: string) {
    const home = join(folder, `home${host}`)
    mkdirSync(home, { recursive: true })
    const env = { PATH: `${folder}:${process.env.PATH}`, HOME: home, TMPDIR: home, LANG: 'C.UTF-8' }
    const [program, ...args] = [...hosts.wrap(host), 'bash', '-c', `cd '${root}'; ${command}`]
    // The shell has its own process group, as in a terminal, so background processes end with the shell.
    this.#child = spawn(program!, args, { env, cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    this.ended = once(this.#child, 'close')
    for (const stream of [this.#child.stdout!, this.#child.stderr!]) {
      stream.on('data', (data: Buffer) => {
        this.output += data
      })
    }
  }

  get code(): number | null {
    return this.#child.exitCode
  }

  async end(): Promise<void> {
    if (this.code === null) process.kill(-this.#child.pid!, 'SIGTERM')
    await this.ended
  }
}

needs('hosts', 'bash').describe('the commands of docs/getting-started.md', () => {
  const shells: Shell[] = []
  let folder: string
  let hosts: Hosts

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
    hosts = await Hosts.create(2)
    for (const host of [0, 1]) {
      const [program, ...args] = [...hosts.wrap(host), 'ip', 'route', 'add', 'default', 'dev', 'eth0']
      // Multicast needs a default route, which real hosts have.
      execFileSync(program!, args)
    }
    // This script replaces npx: it runs the built command instead of an installed command.
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\nshift\nexec '${process.execPath}' '${root}dist/cli/main.js' "$@"\n`)
    chmodSync(join(folder, 'npx'), 0o755)
  })

  afterAll(async () => {
    for (const shell of shells.reverse()) await shell.end()
    await hosts?.stop()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  const start = (command: string, host = 0): Shell => {
    const shell = new Shell(hosts, host, folder, command)
    shells.push(shell)
    return shell
  }
  const finish = async (command: string, host = 0): Promise<string> => {
    const shell = start(command, host)
    await shell.ended
    expect(shell.code, shell.output).toBe(0)
    return shell.output
  }
  const of = (step: string): string[] => steps.get(step)!

  it('the command of the step "Start three peers" starts three peers that see each other alive', async () => {
    const [command] = of('Start three peers')
    const shell = start(`${command}; wait`)
    await vi.waitFor(() => expect(shell.output.match(/ peer 12D3KooW.*of cluster default/g)).toHaveLength(3), LIMIT)
    // A slow member may be a suspect for a moment, and is then reported alive a second time.
    const said = (state: string): number =>
      shell.output.match(new RegExp(` member \\w{8} is ${state}`, 'g'))?.length ?? 0
    await vi.waitFor(() => expect(said('alive') - said('suspect')).toBe(6), LIMIT)
    expect(said('dead')).toBe(0)
  })

  it('the commands run a job, and submit a second job with --detach', async () => {
    const [wait, leave] = of('Run a job')
    expect(await finish(wait!)).toContain('"verified": true')
    expect(await finish(leave!)).toMatch(/^[0-9a-f-]{36}\nheld by 3 peers, in memory only\n$/)
  })

  it('`status` shows the leader and the job', async () => {
    const [command] = of('See who leads')
    const shown = await finish(command!)
    expect(shown).toMatch(/^cluster default: 3 live, 3 slots, leader (\w{8}) \(epoch \d+\)$/m)
    expect(shown).toMatch(/^\w{8} \* +alive /m)
    expect(shown).toMatch(/nas-ep +running/)
  })

  it('`cancel` cancels the job', async () => {
    const [list, cancel] = of('Cancel a job')
    const jobs = await finish(list!)
    const id = jobs
      .split('\n')
      .find(row => row.includes('running'))!
      .split(' ')[0]!
    expect(await finish(cancel!.replace('JOB', id.slice(0, 8)))).toBe(`job ${id} is cancelled\n`)
  })

  it('a peer on another host joins with an invitation', async () => {
    const [invite, joins] = of('Join from another host')
    const token = (await finish(invite!)).trim().split('\n').at(-1)!
    const other = start(joins!.replace('TOKEN', token), 1)
    await vi.waitFor(() => expect(other.output).toMatch(/ member \w{8} is alive/), LIMIT)
    await vi.waitFor(async () => expect(await finish('npx p2p-worker status', 1)).toContain('4 live'), LIMIT)
  })

  it('the commands run the reader’s own task, locally and on the cluster', async () => {
    const text = sections.find(section => section.startsWith('Write a task of your own'))!
    const [, task = ''] = /^```ts\n(.*?)^```$/ms.exec(text) ?? []
    writeFileSync(join(folder, 'longest.ts'), task)
    for (const command of of('Write a task of your own')) {
      const shown = await finish(command.replace('longest.ts', join(folder, 'longest.ts')))
      expect(shown).toContain('"start": 837799,\n  "steps": 524')
    }
  })

  it('the documented command sets up completion in bash', async () => {
    const [source, help] = of('Where to go on').map(command => command.replaceAll('p2p-worker', 'npx p2p-worker'))
    expect(await finish(`${source}; complete -p p2p-worker`)).toContain('-F _p2p_worker')
    expect(await finish(help!)).toContain('.bashrc')
  })
})
