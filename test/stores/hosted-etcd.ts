import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hosts } from '../faults/hosts.ts'
import { type HostedStore, STORE_HOST } from './troubles.ts'

const LEASE_MS = 2_000

/** Members of one etcd, each on a host of its own. */
export interface EtcdOnHosts {
  /** The URLs for clients, in the order of the hosts. */
  urls: string[]
  stop(): Promise<void>
}

/** Starts a member of etcd on each of these hosts. Resolves when the first one takes writes. */
export async function etcdOn(hosts: Hosts, members: readonly number[]): Promise<EtcdOnHosts> {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-etcd-'))
  const url = (host: number, port: number): string => `http://${hosts.address(host)}:${port}`
  const peers = members.map(host => `n${host}=${url(host, 2380)}`).join(',')
  const children = members.map((host): ChildProcess => {
    const [command, ...wrap] = hosts.wrap(host)
    const [client, peer] = [url(host, 2379), url(host, 2380)]
    const args = ['--name', `n${host}`, '--data-dir', join(folder, `n${host}`), '--log-level', 'error']
    args.push('--initial-cluster', peers, '--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer)
    args.push('--listen-client-urls', client, '--advertise-client-urls', client)
    return spawn(command!, [...wrap, 'etcd', ...args], { stdio: 'ignore' })
  })
  const exits = children.map(child => once(child, 'exit'))
  const urls = members.map(host => url(host, 2379))
  const [command, ...wrap] = hosts.wrap(members[0]!)
  const ask = `const body = JSON.stringify({ key: 'YQ==' })
    for (;;) if (await fetch('${urls[0]}/v3/kv/range', { method: 'POST', body }).then(a => a.ok, () => false)) break`
  await promisify(execFile)(command!, [...wrap, process.execPath, '--input-type=module', '-e', ask], {
    timeout: 30_000
  })
  const stop = async (): Promise<void> => {
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(exits)
    await rm(folder, { recursive: true, force: true })
  }
  return { urls, stop }
}

/** Starts etcd on the host of the store. Resolves when it takes writes. */
export async function hostedEtcd(hosts: Hosts): Promise<HostedStore> {
  const { urls, stop } = await etcdOn(hosts, [STORE_HOST])
  return { flags: ['--election', `etcd:${urls[0]}`, '--lease-time', `${LEASE_MS}ms`], leaseTime: LEASE_MS, stop }
}
