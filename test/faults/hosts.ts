/** Simulates hosts on one bridge with network namespaces that are separate from the machine's network. Needs root. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'

/** The private addresses of the host behind a NAT router and of the router itself. */
export const PRIVATE = '192.168.9.2'
const ROUTER = '192.168.9.1'

/** A network and mount namespace with the bridge and the names of the hosts. The namespace and everything in it end with its first process. */
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

  /** Returns the prefix of a command that makes the command run on a host. */
  wrap(host: number | string): string[] {
    const name = typeof host === 'number' ? `host${host}` : host
    return ['nsenter', '-t', String(this.#holder.pid), '-n', '-m', 'ip', 'netns', 'exec', name]
  }

  /** Silently drops all packets between these hosts and all other hosts. Only one fault is active at a time. */
  cut(...hosts: number[]): void {
    const some = `{ ${hosts.map(host => `port${host}`).join(', ')} }`
    this.#onTheWay([`iifname ${some} oifname != ${some} drop`, `iifname != ${some} oifname ${some} drop`])
  }

  /** Silently drops all packets between these two hosts. */
  separate(one: number, other: number): void {
    this.#onTheWay([`iifname port${one} oifname port${other} drop`, `iifname port${other} oifname port${one} drop`])
  }

  /** Drops all packets that this host sends. The host still receives packets. */
  mute(host: number): void {
    this.#onTheWay([`iifname port${host} drop`])
  }

  /** Drops all packets to this host. The host still sends packets. */
  deafen(host: number): void {
    this.#onTheWay([`oifname port${host} drop`])
  }

  /** Drops a random percentage of all packets. */
  lose(percent: number): void {
    this.#onTheWay([`ether type ip numgen random mod 100 < ${percent} drop`])
  }

  /** Ends the fault of {@link cut}, {@link separate}, {@link mute}, {@link deafen} or {@link lose}. */
  heal(): void {
    this.#run('nft delete table bridge fault')
  }

  /** Gives a host (or `nat<host>`) a firewall with these rules. A host has at most one firewall. */
  firewall(host: number | string, chains: { input?: string[]; output?: string[]; forward?: string[] }): void {
    const text = Object.entries(chains).map(
      ([hook, rules]) => `chain ${hook} { type filter hook ${hook} priority 0; ${rules.join('; ')}; }\n`
    )
    this.#rules(host, `table ip firewall {\n${text.join('')}}`)
  }

  /** Removes the firewall of a host. */
  unblock(host: number | string): void {
    this.#on(host, 'nft delete table ip firewall')
  }

  /**
   * Makes this host a NAT router in front of a further host, `nat<host>`, which has the private address
   * {@link PRIVATE}. The router forwards `port` to that host.
   */
  addNat(host: number, port: number): string {
    const inner = `nat${host}`
    this.#run(`ip netns add ${inner}`)
    this.#run(`ip -n host${host} link add inside type veth peer name eth0 netns ${inner}`)
    this.#on(host, `ip address add ${ROUTER}/24 dev inside`)
    this.#on(host, 'ip link set inside up')
    this.#on(host, ['sh', '-c', 'echo 1 > /proc/sys/net/ipv4/ip_forward'])
    this.#on(inner, 'ip link set lo up')
    this.#on(inner, `ip address add ${PRIVATE}/24 dev eth0`)
    this.#on(inner, 'ip link set eth0 up')
    this.#on(inner, `ip route add default via ${ROUTER}`)
    this.#rules(
      host,
      `table ip nat {
        chain in { type nat hook prerouting priority -100; iifname eth0 tcp dport ${port} dnat to ${PRIVATE}:${port}; }
        chain out { type nat hook postrouting priority 100; oifname eth0 masquerade; }
      }`
    )
    return inner
  }

  /** Adds an address to this host. */
  addAddress(host: number, address: string): void {
    this.#on(host, `ip address add ${address}/24 dev eth0`)
  }

  /** Silently disconnects this host from the network, as a power failure does. */
  unplug(host: number): void {
    this.#run(`ip link set port${host} down`)
  }

  /** Replaces the address of this host. */
  readdress(host: number, address: string): void {
    this.#on(host, `ip address del ${this.address(host)}/24 dev eth0`)
    this.#on(host, `ip address add ${address}/24 dev eth0`)
  }

  /** Ends the network. All processes on the hosts must already have ended. */
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

  #on(host: number | string, command: string | string[]): void {
    const words = typeof command === 'string' ? command.split(' ') : command
    const [program, ...args] = [...this.wrap(host), ...words]
    execFileSync(program!, args)
  }

  #rules(host: number | string, rules: string): void {
    const [program, ...args] = [...this.wrap(host), 'nft', '-f', '-']
    execFileSync(program!, args, { input: rules })
  }

  #onTheWay(rules: string[]): void {
    const table = `table bridge fault {\nchain forward { type filter hook forward priority 0; ${rules.join('; ')}; }\n}`
    const args = ['-t', String(this.#holder.pid), '-n', '-m', 'nft', '-f', '-']
    execFileSync('nsenter', args, { input: table })
  }

  #run(command: string): void {
    execFileSync('nsenter', ['-t', String(this.#holder.pid), '-n', '-m', ...command.split(' ')])
  }
}
