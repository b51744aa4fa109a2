import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Hosts } from '../faults/hosts.ts'
import { type HostedStore, STORE_HOST } from './troubles.ts'
import { zookeeperCommand } from './zookeeper.ts'

const LEASE_MS = 2_000
const PORT = 2181

/** Starts ZooKeeper on the host of the store. Resolves when it serves clients. */
export async function hostedZooKeeper(hosts: Hosts): Promise<HostedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-zookeeper-'))
  const host = hosts.address(STORE_HOST)
  const [command, ...wrap] = hosts.wrap(STORE_HOST)
  const child = spawn(command!, [...wrap, ...(await zookeeperCommand(folder, { host, port: PORT }))], {
    stdio: 'ignore'
  })
  const exited = once(child, 'exit')
  const ask = `import { connect } from 'node:net'
    for (let said = ''; !said.includes('Mode: ');) try {
      const socket = connect({ host: '${host}', port: ${PORT}, signal: AbortSignal.timeout(1000) }).setEncoding('utf8')
      socket.write('srvr')
      for await (const text of socket) said += text
    } catch { await new Promise(resolve => setTimeout(resolve, 50)) }`
  await promisify(execFile)(command!, [...wrap, process.execPath, '--input-type=module', '-e', ask], {
    timeout: 60_000
  })
  return {
    flags: ['--election', `zookeeper:${host}:${PORT}`, '--lease-time', `${LEASE_MS}ms`],
    leaseTime: LEASE_MS,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    }
  }
}
