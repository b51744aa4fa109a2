/** Finds a Docker engine for the tests: the running engine, or else a private engine that is stopped after the tests. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Missing } from '../tools.ts'

const exec = promisify(execFile)

/** The time within which an engine must start, in ms. */
const START_LIMIT = 60_000

export interface Engine {
  /** The value of DOCKER_HOST, or undefined for docker's default engine. */
  host: string | undefined
  /** The compose command: `docker-compose` (version 1) if it is installed, or else the plugin `docker compose` (version 2). */
  compose: [string, ...string[]]
}

/** Returns the environment in which docker and docker-compose find the engine. */
export function environmentOf({ host }: Engine): NodeJS.ProcessEnv {
  return host === undefined ? process.env : { ...process.env, DOCKER_HOST: host }
}

/** Returns the engine as a missing tool if `given` is the reason why no engine is available. Returns an empty list if `given` is an engine. */
export function withoutEngine(given: Engine | string): Missing[] {
  return typeof given === 'string' ? [{ name: `a Docker engine: ${given}`, debian: 'docker.io docker-compose' }] : []
}

/** Resolves to an engine with its stop function, or to the reason why no engine is available. */
export async function findEngine(): Promise<{ engine: Engine; stop: () => Promise<void> } | string> {
  if (!(await works('docker', ['--version'], process.env))) return 'there is no `docker` command'
  const compose = await composeCommand()
  if (compose === undefined) return 'there is no `docker-compose` and no `docker compose`'
  if (await works('docker', ['info'], process.env))
    return { engine: { host: undefined, compose }, stop: async () => {} }
  if (process.getuid?.() !== 0) return 'no engine runs, and only root can start one'
  const dockerd = ['/usr/sbin/dockerd', '/usr/bin/dockerd'].find(file => existsSync(file))
  return dockerd === undefined ? 'no engine runs, and there is no dockerd' : await startEngine(dockerd, compose)
}

async function composeCommand(): Promise<[string, ...string[]] | undefined> {
  if (await works('docker-compose', ['version'], process.env)) return ['docker-compose']
  if (await works('docker', ['compose', 'version'], process.env)) return ['docker', 'compose']
  return undefined
}

/** Starts a private daemon whose images, containers and socket are in a temporary folder. */
async function startEngine(
  dockerd: string,
  compose: [string, ...string[]]
): Promise<{ engine: Engine; stop: () => Promise<void> } | string> {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-engine-'))
  const socket = `unix://${join(folder, 'docker.sock')}`
  const places = ['--data-root', 'data', '--exec-root', 'exec', '--pidfile', 'pid'].map((word, i) =>
    i % 2 === 0 ? word : join(folder, word)
  )
  // The daemon creates no bridge and no firewall rules, so that it leaves no change on this machine.
  const modest = ['--bridge', 'none', '--iptables=false', '--ip-forward=false', '--ip-masq=false']
  const daemon = spawn(dockerd, [...places, ...modest, '--host', socket], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A daemon whose containerd stops too slowly makes it write its stacks into the temporary folder.
    env: { ...process.env, TMPDIR: folder }
  })
  const log = join(folder, 'log')
  const file = createWriteStream(log)
  daemon.stdout.pipe(file)
  daemon.stderr.pipe(file)
  const exited = new Promise<void>(resolve => {
    daemon.once('exit', () => resolve())
    daemon.once('error', () => resolve())
  })
  const stop = async (): Promise<void> => {
    if (isRunning(daemon)) daemon.kill('SIGTERM')
    await exited
    await unmountAll(folder)
    await rm(folder, { recursive: true, force: true })
  }
  const env = { ...process.env, DOCKER_HOST: socket }
  const limit = performance.now() + START_LIMIT
  while (isRunning(daemon) && performance.now() < limit) {
    if (await works('docker', ['info'], env)) return { engine: { host: socket, compose }, stop }
    await delay(200)
  }
  const told = (await readFile(log, 'utf8')).trim().split('\n').slice(-3).join('\n')
  await stop()
  return `no engine runs, and dockerd does not start:\n${told}`
}

/** Unmounts the network namespace that the daemon leaves behind. */
async function unmountAll(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map(line => line.split(' ')[1] ?? '')
  for (const mount of mounts.filter(path => path.startsWith(`${folder}/`)).reverse()) await exec('umount', [mount])
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

async function works(command: string, args: string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  return await exec(command, args, { env }).then(
    () => true,
    () => false
  )
}
