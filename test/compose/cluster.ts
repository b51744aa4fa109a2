/** Drives the project's docker-compose.yml on an engine, as a user does. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { generateClusterKey } from '../../src/network/cluster-key.ts'
import { root } from '../cluster/processes.ts'
import { type Engine, environmentOf } from './engine.ts'

/** The time within which the cluster must reach an expected state, in ms. */
const LIMIT = 60_000

export interface Output {
  code: number | null
  stdout: string
  stderr: string
}

export interface Container {
  id: string
  name: string
  service: string
  running: boolean
  /** The container's address in the network of the cluster; empty while the container is cut off or stopped. */
  ip: string
}

interface Status {
  leader: string | null
  epoch: number
  members: { peerId: string; state: string; addresses: string[] }[]
  jobs: { state: string; done: number }[]
}

/** A line `… leads (epoch N)` of a container's log. */
export interface LeaderLine {
  container: Container
  /** The time when the container wrote the line, in ms since the epoch. */
  at: number
  epoch: number
}

export class ComposeCluster {
  readonly #engine: Engine
  readonly #env: NodeJS.ProcessEnv
  readonly project: string

  constructor(engine: Engine, project: string, env: NodeJS.ProcessEnv) {
    this.#engine = engine
    this.project = project
    const inherited = Object.entries(environmentOf(engine)).filter(([name]) => !/^(P2P_WORKER|COMPOSE)_/.test(name))
    this.#env = {
      ...Object.fromEntries(inherited),
      COMPOSE_PROJECT_NAME: project,
      P2P_WORKER_KEY: generateClusterKey(),
      ...env
    }
  }

  docker(args: string[]): Promise<Output> {
    return run('docker', args, this.#env)
  }

  compose(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Output> {
    const [command, ...first] = this.#engine.compose
    // The settings of the developer's .env must not apply.
    return run(command, [...first, '--env-file', 'test/compose/none.env', ...args], { ...this.#env, ...env })
  }

  /** Runs `docker-compose run --rm cli …`. With `deps`, the command also starts the services on which `cli` depends. */
  cli(args: string[], { deps = false, volume = '' } = {}): Promise<Output> {
    const options = [...(deps ? [] : ['--no-deps']), ...(volume === '' ? [] : ['--volume', volume])]
    return this.compose(['run', '--rm', '-T', ...options, 'cli', ...args])
  }

  /** Resolves to the containers of the project's peers. */
  async containers(): Promise<Container[]> {
    const label = `com.docker.compose.project=${this.project}`
    const { stdout } = await this.docker(['ps', '--all', '--no-trunc', '--quiet', '--filter', `label=${label}`])
    const ids = stdout.split('\n').filter(id => id !== '')
    if (ids.length === 0) return []
    const inspected = JSON.parse((await this.docker(['inspect', ...ids])).stdout) as {
      Id: string
      Name: string
      State: { Running: boolean }
      Config: { Labels: Record<string, string> }
      NetworkSettings: { Networks: Record<string, { IPAddress: string }> }
    }[]
    return inspected
      .filter(({ Config }) => Config.Labels['com.docker.compose.oneoff'] !== 'True')
      .map(({ Id, Name, State, Config, NetworkSettings }) => ({
        id: Id,
        name: Name.slice(1),
        service: Config.Labels['com.docker.compose.service'] ?? '',
        running: State.Running,
        ip: Object.values(NetworkSettings.Networks)[0]?.IPAddress ?? ''
      }))
  }

  async running(): Promise<Container[]> {
    return (await this.containers()).filter(({ running }) => running)
  }

  /** Creates a file in each running container. */
  async touch(file: string): Promise<void> {
    await Promise.all((await this.running()).map(({ id }) => this.docker(['exec', id, 'touch', file])))
  }

  /** Resolves to the status of the cluster in the view of this container's peer. */
  async status(container: Container): Promise<Status | undefined> {
    const own = ['--no-mdns', '--bootstrap', '/ip4/127.0.0.1/tcp/4001', '--wait', '5s']
    const { code, stdout } = await this.docker(['exec', container.id, 'p2p-worker', 'status', '--json', ...own])
    return code === 0 ? (JSON.parse(stdout) as Status) : undefined
  }

  /** Waits until the peers of all running containers follow the same leader and see exactly these peers as live. */
  async settled(): Promise<Status> {
    let seen: (Status | undefined)[] = []
    for (const limit = performance.now() + LIMIT; performance.now() < limit; ) {
      const containers = await this.running()
      seen = await Promise.all(containers.map(container => this.status(container)))
      const [first] = seen
      const agree = seen.every(status => status?.leader === first?.leader && status?.epoch === first?.epoch)
      if (first?.leader && agree && seen.every(status => live(status).length === containers.length)) return first
    }
    throw new Error(`the containers do not agree: ${JSON.stringify(seen)}\n${await this.logs()}`)
  }

  /** Resolves to the container of the leader. */
  async leader(): Promise<Container> {
    const status = await this.settled()
    const addresses = status.members.find(({ peerId }) => peerId === status.leader)?.addresses ?? []
    const leader = (await this.running()).find(({ ip }) => addresses.some(address => address.includes(`/ip4/${ip}/`)))
    if (leader === undefined) throw new Error(`no container has one of ${addresses}`)
    return leader
  }

  /** Waits until the status of the cluster satisfies `holds`, in the view of one container's peer. */
  async until(what: string, holds: (status: Status) => boolean, container?: Container): Promise<Status> {
    let status: Status | undefined
    for (const limit = performance.now() + LIMIT; performance.now() < limit; ) {
      const asked = container ?? (await this.running())[0]
      status = asked === undefined ? undefined : await this.status(asked)
      if (status !== undefined && holds(status)) return status
    }
    throw new Error(`not seen: ${what}. Last: ${JSON.stringify(status)}\n${await this.logs()}`)
  }

  /** Waits until the running job has done this many chunks. */
  async jobAt(chunks: number): Promise<void> {
    await this.until(`a job with ${chunks} chunks done`, ({ jobs }) =>
      jobs.some(({ state, done }) => state === 'running' && done >= chunks)
    )
  }

  /** Resolves to the log lines about leaders that these containers wrote after `since`, in ms since the epoch by the engine's clock. */
  async leaderLines(containers: Container[], since: number): Promise<LeaderLine[]> {
    const lines = await Promise.all(
      containers.map(async container => {
        const { stdout, stderr } = await this.docker([
          'logs',
          '--timestamps',
          '--since',
          new Date(since).toISOString(),
          container.id
        ])
        return [...`${stdout}${stderr}`.matchAll(/^(\S+) .*leads \(epoch (\d+)\)/gm)].map(([, at, epoch]) => ({
          container,
          at: Date.parse(at!),
          epoch: Number(epoch)
        }))
      })
    )
    return lines.flat()
  }

  /**
   * Waits until all these containers follow a leader that was elected after `since`. Resolves to the time at which the last container followed that
   * leader.
   */
  async nextLeader(containers: Container[], since: number, above: number): Promise<number> {
    for (const limit = performance.now() + LIMIT; performance.now() < limit; await delay(100)) {
      const lines = (await this.leaderLines(containers, since)).filter(({ epoch }) => epoch > above)
      const first = containers.map(({ id }) => lines.find(line => line.container.id === id)?.at)
      if (first.every(at => at !== undefined)) return Math.max(...first)
    }
    throw new Error(`no next leader\n${await this.logs()}`)
  }

  async logs(): Promise<string> {
    const { stdout } = await this.compose(['logs', '--no-color', '--tail', '40'])
    return stdout
  }

  /** Resolves to all volumes of the engine, including unnamed volumes. */
  async volumes(): Promise<string[]> {
    return (await this.docker(['volume', 'ls', '--quiet'])).stdout.split('\n').filter(line => line !== '')
  }

  /** Ends the cluster. Resolves to the ids of the containers, networks and volumes of the cluster that still exist afterwards. */
  async down(): Promise<string[]> {
    await this.compose(['down', '--volumes', '--remove-orphans', '--timeout', '10'])
    const filter = ['--filter', `label=com.docker.compose.project=${this.project}`]
    const left = await Promise.all([
      this.docker(['ps', '--all', '--quiet', ...filter]),
      this.docker(['network', 'ls', '--quiet', ...filter]),
      this.docker(['volume', 'ls', '--quiet', ...filter])
    ])
    return left.flatMap(({ stdout }) => stdout.split('\n').filter(line => line !== ''))
  }
}

function live(status: Status | undefined): string[] {
  return (status?.members ?? []).filter(({ state }) => state === 'alive').map(({ peerId }) => peerId)
}

async function run(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<Output> {
  const child = execFile(command, args, { env, cwd: root, maxBuffer: 2 ** 28 })
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', data => {
    stdout += data
  })
  child.stderr?.on('data', data => {
    stderr += data
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

/** Builds the image from the project's Dockerfile. */
export async function buildImage(engine: Engine, name: string, base: string | undefined): Promise<void> {
  // The build uses the machine's network, so that the build reaches the same registry as the machine.
  const args = [
    'build',
    '--network',
    'host',
    '--tag',
    name,
    ...(base === undefined ? [] : ['--build-arg', `BASE=${base}`]),
    '.'
  ]
  const { code, stdout, stderr } = await run('docker', args, { ...environmentOf(engine), DOCKER_BUILDKIT: '0' })
  if (code !== 0) throw new Error(`the image does not build:\n${stdout}${stderr}`)
}
