import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hosts } from '../faults/hosts.ts'
import { type HostedStore, STORE_HOST } from './troubles.ts'

const LEASE_MS = 2_000

/** Starts etcd on the host of the store. Resolves when it takes writes. */
export async function hostedEtcd(hosts: Hosts): Promise<HostedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-etcd-'))
  const [client, peer] = [2379, 2380].map(port => `http://${hosts.address(STORE_HOST)}:${port}`) as [string, string]
  const [command, ...wrap] = hosts.wrap(STORE_HOST)
  const args = ['--data-dir', folder, '--log-level', 'error', '--initial-cluster', `default=${peer}`]
  args.push('--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer)
  args.push('--listen-client-urls', client, '--advertise-client-urls', client)
  const child = spawn(command!, [...wrap, 'etcd', ...args], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  const ask = `const body = JSON.stringify({ key: 'YQ==' })
    for (;;) if (await fetch('${client}/v3/kv/range', { method: 'POST', body }).then(a => a.ok, () => false)) break`
  await promisify(execFile)(command!, [...wrap, process.execPath, '--input-type=module', '-e', ask], {
    timeout: 30_000
  })
  return {
    flags: ['--election', `etcd:${client}`, '--lease-time', `${LEASE_MS}ms`],
    leaseTime: LEASE_MS,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    }
  }
}
