import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { profiles } from '../../src/membership/profile.ts'
import { type PeerProcess, ProcessCluster } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { Hosts, PRIVATE } from './hosts.ts'

const RESET = 'meta l4proto tcp reject with tcp reset'
const RELAY = fileURLToPath(new URL('relay.mjs', import.meta.url))

/**
 * Each test has only two peers. Because no third peer can be a witness, a single refusal that counted as proof of death would lead to a verdict
 * within milliseconds.
 */
needs('hosts').describe('a live peer', () => {
  let hosts: Hosts
  let cluster: ProcessCluster
  const relays: ChildProcess[] = []

  beforeEach(async () => {
    hosts = await Hosts.create(3)
    cluster = await ProcessCluster.create()
  })

  afterEach(async () => {
    await cluster?.stop()
    await stopRelays()
    await hosts?.stop()
  })

  const join = async (host: number | string, args: string[]): Promise<PeerProcess> => {
    const peer = cluster.joinAlone(args, { wrap: hosts.wrap(host) })
    await peer.ready()
    return peer
  }
  const startRelay = async (host: number, listen: string, target: string): Promise<void> => {
    const [program, ...args] = [...hosts.wrap(host), process.execPath, RELAY, listen, '4001', target]
    const relay = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    relays.push(relay)
    await once(relay.stdout!, 'data')
  }
  const stopRelays = async (): Promise<void> => {
    for (const relay of relays.splice(0)) {
      const ended = once(relay, 'exit')
      relay.kill('SIGKILL')
      await ended
    }
  }
  /**
   * Waits for the time after which a suspicion that began at `since` would have led to a verdict. Resolves to the states of the other peer that the
   * observer has logged until this time. The logged times decide, because this process may read the log with a delay.
   */
  const statesFrom = async (observer: PeerProcess, id: string, since: number): Promise<string[]> => {
    const until = since + profiles.lan.suspicionMin
    await delay(until + 1_000 - Date.now())
    return observer.events.flatMap(event => {
      const at = Date.parse(event.time)
      return event.peerId === id && at >= since && at < until ? [event.state!] : []
    })
  }

  it('a peer behind a NAT router is not declared dead when the router resets all connections and refuses new connections', async () => {
    const inside = hosts.addNat(1, 4001)
    // On the observer's network another host has the same private address, and no process listens on that host.
    hosts.addAddress(0, PRIVATE)
    const anywhere = ['--listen', '/ip4/0.0.0.0/tcp/4001', '--bootstrap', `/ip4/${hosts.address(0)}/tcp/4001`]
    const hidden = await join(inside, anywhere)
    const here = ['--listen', `/ip4/${hosts.address(0)}/tcp/4001`, '--bootstrap', `/ip4/${hosts.address(1)}/tcp/4001`]
    const observer = await join(0, here)
    await cluster.settled()
    expect(hidden.addresses.some(address => address.includes(PRIVATE))).toBe(true)
    const brokenAt = Date.now()
    hosts.firewall(1, { forward: [RESET], input: [RESET] })
    expect(await statesFrom(observer, hidden.id, brokenAt)).not.toContain('dead')
    hosts.unblock(1)
    await cluster.settled()
  })

  it('a peer behind two proxies, one of which is a tunnel from loopback, is not declared dead when both proxies refuse connections', async () => {
    // The peers reach each other only through the proxies, because the hidden peer's host refuses the observer's direct connections.
    const [observers, proxy] = [hosts.address(0), hosts.address(2)]
    hosts.firewall(1, {
      input: [`ip saddr ${observers} ${RESET}`],
      output: [`ip daddr ${observers} tcp flags & rst == rst accept`, `ip daddr ${observers} ${RESET}`]
    })
    const listen = ['--listen', '/ip4/0.0.0.0/tcp/4001']
    const hidden = await join(1, listen)
    const start = () => Promise.all([startRelay(2, proxy, hosts.address(1)), startRelay(0, '127.0.0.1', proxy)])
    await start()
    const bootstrap = [proxy, '127.0.0.1'].flatMap(address => ['--bootstrap', `/ip4/${address}/tcp/4001`])
    const observer = await join(0, ['--listen', `/ip4/${observers}/tcp/4001`, ...bootstrap])
    await cluster.settled()
    expect(hidden.addresses.some(address => address.includes('/127.0.0.1/'))).toBe(true)
    const brokenAt = Date.now()
    await stopRelays()
    expect(await statesFrom(observer, hidden.id, brokenAt)).not.toContain('dead')
    await start()
    await cluster.settled()
  })
})
