/** Hosts on one bridge, as network namespaces away from the machine's own network. Needs root. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Whether this user may make network namespaces and drop packets in them. */
export function mayMakeHosts(): boolean {
  try {
    execFileSync('unshare', ['-n', '-m', 'sh', '-c', 'mount -t tmpfs none /run && nft add table bridge probe'], {
      stdio: 'ignore'
    })
    return true
  } catch {
    return false
  }
}

/** A namespace that holds the bridge and, mounted in it alone, the names of the hosts: all end with its one process. */
export class Hosts {
  readonly #holder: ChildProcess

  private constructor(holder: ChildProcess) {
    this.#holder = holder
  }

  static async create(count: number): Promise<Hosts> {
    const script = 'mount -t tmpfs none /run && mkdir /run/netns && echo up && exec cat'
    const holder = spawn('unshare', ['-n', '-m', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
    const hosts = new Hosts(holder)
    try {
      await once(holder.stdout!, 'data')
      hosts.#run('ip link set lo up')
      hosts.#run('ip link add bridge type bridge mcast_snooping 0')
      hosts.#run('ip link set bridge up')
      for (let i = 0; i < count; i++) hosts.#add(i)
    } catch (error) {
      await hosts.stop()
      throw error
    }
    return hosts
  }

  address(host: number): string {
    return `10.77.0.${host + 1}`
  }

  /** What to put before a command to run it on a host. */
  wrap(host: number): string[] {
    return ['nsenter', '-t', String(this.#holder.pid), '-n', '-m', 'ip', 'netns', 'exec', `host${host}`]
  }

  /** Drops all to and from this host on the way, without a word to either side. One cut at a time. */
  cut(host: number): void {
    this.#run('nft add table bridge cut')
    this.#run('nft add chain bridge cut forward { type filter hook forward priority 0; }')
    for (const way of ['iifname', 'oifname']) this.#run(`nft add rule bridge cut forward ${way} port${host} drop`)
  }

  heal(): void {
    this.#run('nft delete table bridge cut')
  }

  /** Gives this host one more address. */
  addAddress(host: number, address: string): void {
    this.#on(host, `ip address add ${address}/24 dev eth0`)
  }

  /** Gives this host another address in place of its own. */
  readdress(host: number, address: string): void {
    this.#on(host, `ip address del ${this.address(host)}/24 dev eth0`)
    this.#on(host, `ip address add ${address}/24 dev eth0`)
  }

  /** Ends the network. The processes on the hosts are to be ended before. */
  async stop(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return
    const exited = once(this.#holder, 'exit')
    this.#holder.kill('SIGKILL')
    await exited
  }

  #add(host: number): void {
    this.#run(`ip netns add host${host}`)
    this.#run(`ip link add port${host} master bridge type veth peer name eth0 netns host${host}`)
    this.#run(`ip link set port${host} up`)
    this.#on(host, 'ip link set lo up')
    this.#on(host, `ip address add ${this.address(host)}/24 dev eth0`)
    this.#on(host, 'ip link set eth0 up')
  }

  #on(host: number, command: string): void {
    const [program, ...args] = [...this.wrap(host), ...command.split(' ')]
    execFileSync(program!, args)
  }

  #run(command: string): void {
    execFileSync('nsenter', ['-t', String(this.#holder.pid), '-n', '-m', ...command.split(' ')])
  }
}
