import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../cluster/processes.ts'
import type { Hosts } from '../faults/hosts.ts'
import { type HostedStore, STORE_HOST } from './troubles.ts'

const LEASE_MS = 2_000
const PORT = 8_001

/** Starts a server of Leases (kubernetes-api.ts) as a process of its own on the host of the store. Resolves when it listens. */
export async function hostedKubernetes(hosts: Hosts): Promise<HostedStore> {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-kubernetes-'))
  const host = hosts.address(STORE_HOST)
  const outfile = join(folder, 'api.mjs')
  const contents = `import { KubernetesApi } from './kubernetes-api.ts'
    await KubernetesApi.start({ host: '${host}', port: ${PORT} })
    console.log('up')`
  const stdin = { contents, resolveDir: join(root, 'test/stores'), loader: 'ts' as const }
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' })
  const [command, ...args] = [...hosts.wrap(STORE_HOST), process.execPath, outfile]
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  await Promise.race([
    once(child.stdout!, 'data'),
    exited.then(() => Promise.reject(new Error('the server has ended')))
  ])
  return {
    flags: ['--election', 'kubernetes:lab/lease', '--lease-time', `${LEASE_MS}ms`],
    env: { KUBERNETES_API: `http://${host}:${PORT}` },
    leaseTime: LEASE_MS,
    stop: async () => {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    }
  }
}
