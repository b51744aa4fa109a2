import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { Hosts } from '../faults/hosts.ts'
import { needs } from '../needs.ts'
import { type EtcdOnHosts, etcdOn } from './hosted-etcd.ts'

const SESSION = fileURLToPath(new URL('etcd-session.mjs', import.meta.url))
const MEMBERS = [0, 1, 2]
/** The host of the peers. */
const PEERS = 3

needs('hosts', 'etcd').describe('an etcd of three members on three hosts', () => {
  let hosts: Hosts
  let etcd: EtcdOnHosts
  const children: ChildProcess[] = []

  beforeAll(async () => {
    hosts = await Hosts.create(4)
    etcd = await etcdOn(hosts, MEMBERS)
  }, 60_000)

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  afterAll(async () => {
    await etcd?.stop()
    await hosts?.stop()
  })

  /** Starts a peer's client of these members. The client answers one question after the other. */
  function client(members: readonly number[] = MEMBERS): (question: string) => Promise<unknown> {
    const [command, ...wrap] = hosts.wrap(PEERS)
    const urls = members.map(member => etcd.urls[member]!)
    const child = spawn(command!, [...wrap, process.execPath, SESSION, ...urls], { stdio: ['pipe', 'pipe', 'inherit'] })
    children.push(child)
    const lines = createInterface({ input: child.stdout! })
    return async question => {
      child.stdin!.write(`${question}\n`)
      return JSON.parse((await once(lines, 'line'))[0])
    }
  }

  /** Asks until there is an answer, because the members may elect meanwhile. */
  async function answered(ask: ReturnType<typeof client>, question: string): Promise<unknown> {
    for (;;) {
      const answer = await ask(question)
      if (answer !== 'no answer') return answer
    }
  }

  it('a lease goes on, and no other session gets it, when the leading member is cut off from all hosts', async () => {
    const ask = client()
    expect(await answered(ask, 'acquire a')).not.toBeNull()
    const leader = (await ask('leader')) as number
    hosts.cut(leader)
    expect(await answered(ask, 'renew a')).toBe(true)
    expect(await answered(client(), 'acquire b')).toBeNull()
    hosts.heal()
    // The member that was cut off learns who has the lease.
    expect(await answered(client([leader]), 'acquire b')).toBeNull()
    expect(await answered(ask, 'renew a')).toBe(true)
  }, 120_000)

  it('a leading member that only peers reach grants nothing', async () => {
    const leader = (await client()('leader')) as number
    const alone = client([leader])
    const others = MEMBERS.filter(member => member !== leader).map(member => hosts.address(member))
    hosts.firewall(leader, {
      input: others.map(address => `ip saddr ${address} drop`),
      output: others.map(address => `ip daddr ${address} drop`)
    })
    expect(await alone('acquire c')).toBe('no answer')
    hosts.unblock(leader)
  }, 120_000)
})
