/** Faults inside a host of test/faults/hosts.ts, by nftables, and a machine that has too much to do. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Hosts } from '../../test/faults/hosts.ts'

function nft(hosts: Hosts, host: number, ...commands: string[]): void {
  const [program, ...args] = [...hosts.wrap(host), 'nft', '-f', '-']
  execFileSync(program!, args, { input: commands.join('\n') })
}

/** Drops all that comes to and goes from this host, without a word to either side. */
export function cutOff(hosts: Hosts, host: number): void {
  nft(
    hosts,
    host,
    'add table inet cut',
    'add chain inet cut in { type filter hook input priority 0; }',
    'add chain inet cut out { type filter hook output priority 0; }',
    'add rule inet cut in iifname eth0 drop',
    'add rule inet cut out oifname eth0 drop'
  )
}

/** Drops so many per cent of what comes to this host. Done to all hosts, each packet is lost with this probability. */
export function lose(hosts: Hosts, host: number, percent: number): void {
  nft(
    hosts,
    host,
    'add table inet loss',
    'add chain inet loss in { type filter hook input priority 0; }',
    `add rule inet loss in iifname eth0 numgen random mod 100 < ${percent} drop`
  )
}

/** Processes that do nothing but take processor time. */
export class BusyProcesses {
  readonly #children: ChildProcess[]

  constructor(count: number) {
    this.#children = Array.from({ length: count }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    )
  }

  async stop(): Promise<void> {
    const running = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const exited = running.map(child => once(child, 'exit'))
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(exited)
  }
}
