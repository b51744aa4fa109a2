/** A Docker engine for the tests: the one that runs, else one that is started for them and stopped with them. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const exec = promisify(execFile)

/** For an engine to come up, in ms. */
const START_LIMIT = 60_000

export interface Engine {
  /** What docker and docker-compose need in their environment to find it. */
  env: NodeJS.ProcessEnv
  /** The compose command: version 1, else the plugin of version 2. */
  compose: [string, ...string[]]
  stop(): Promise<void>
}

/** An engine, or why there is none. */
export async function findEngine(): Promise<Engine | string> {
  if (!(await works('docker', ['--version'], process.env))) return 'there is no `docker` command (Debian: docker.io)'
  const compose = await composeCommand()
  if (compose === undefined) return 'there is no `docker-compose` and no `docker compose`'
  if (await works('docker', ['info'], process.env)) return { env: process.env, compose, stop: async () => {} }
  if (process.getuid?.() !== 0) return 'no engine runs, and only root can start one'
  if (!existsSync('/usr/sbin/dockerd') && !existsSync('/usr/bin/dockerd'))
    return 'no engine runs, and there is no dockerd'
  return await startEngine(compose)
}

async function composeCommand(): Promise<[string, ...string[]] | undefined> {
  if (await works('docker-compose', ['version'], process.env)) return ['docker-compose']
  if (await works('docker', ['compose', 'version'], process.env)) return ['docker', 'compose']
  return undefined
}

/** Starts a daemon of the tests' own: its images, containers and socket are in a folder that goes with it. */
async function startEngine(compose: [string, ...string[]]): Promise<Engine | string> {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-engine-'))
  const socket = `unix://${join(folder, 'docker.sock')}`
  const places = ['--data-root', 'data', '--exec-root', 'exec', '--pidfile', 'pid'].map((word, i) =>
    i % 2 === 0 ? word : join(folder, word)
  )
  // Without a bridge and rules of its own it changes nothing on this machine that would stay when it has ended.
  const modest = ['--bridge', 'none', '--iptables=false', '--ip-forward=false', '--ip-masq=false']
  const daemon = spawn('dockerd', [...places, ...modest, '--host', socket], { stdio: ['ignore', 'pipe', 'pipe'] })
  const log = join(folder, 'log')
  const file = createWriteStream(log)
  daemon.stdout.pipe(file)
  daemon.stderr.pipe(file)
  const exited = once(daemon, 'exit')
  const stop = async (): Promise<void> => {
    if (isRunning(daemon)) daemon.kill('SIGTERM')
    await exited
    await unmountAll(folder)
    await rm(folder, { recursive: true, force: true })
  }
  const env = { ...process.env, DOCKER_HOST: socket }
  const limit = performance.now() + START_LIMIT
  while (isRunning(daemon) && performance.now() < limit) {
    if (await works('docker', ['info'], env)) return { env, compose, stop }
    await delay(200)
  }
  const told = (await readFile(log, 'utf8')).trim().split('\n').slice(-3).join('\n')
  await stop()
  return `no engine runs, and dockerd does not start:\n${told}`
}

/** The daemon leaves the mount of its network namespace behind. */
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
