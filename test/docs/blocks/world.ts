/** The environment in which blocks run: three machines on a private network, each with the home folder of a user and a clone. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Hosts } from '../../faults/hosts.ts'
import { root } from './block.ts'
import { Script } from './script.ts'

/** The addresses that the documents use, from the range for documentation (RFC 5737). */
const ADDRESSES = ['192.0.2.7', '192.0.2.8', '192.0.2.9'] as const
/** The entries of the repository that a clone leaves out. A clone links to node_modules, and no document uses the other entries. */
const LEFT_OUT = new Set(['node_modules', '.git', '.ci'])

export type HostName = '1' | '2' | '3'

export class World {
  readonly hosts: Hosts
  readonly folder: string
  readonly #scripts: Script[] = []
  #clones = 0

  private constructor(hosts: Hosts, folder: string) {
    this.hosts = hosts
    this.folder = folder
  }

  /** Creates the machines. Nothing runs on the machines yet. */
  static async create(): Promise<World> {
    const world = new World(await Hosts.create(ADDRESSES.length), mkdtempSync(join(tmpdir(), 'p2p-worker-test-')))
    for (const [host, address] of ADDRESSES.entries()) {
      world.hosts.addAddress(host, address)
      const [program, ...args] = [...world.hosts.wrap(host), 'ip', 'route', 'add', 'default', 'dev', 'eth0']
      // Multicast needs a default route, which real hosts have.
      execFileSync(program!, args)
    }
    mkdirSync(join(world.folder, 'bin'))
    const main = join(root, 'dist/cli/main.js')
    const [real = 'npm'] = spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.split('\n')
    const standIn = join(import.meta.dirname, 'npm.mjs')
    world.addProgram('p2p-worker', `exec '${process.execPath}' '${main}' "$@"`)
    world.addProgram('npx', `[ "$1" = p2p-worker ] || { echo "npx $1: not known here" >&2; exit 1; }; exec "$@"`)
    world.addProgram('npm', `REAL_NPM='${real}' exec '${process.execPath}' '${standIn}' "$@"`)
    return world
  }

  /** Adds a program to the PATH of all scripts. `script` contains the program as lines of sh. */
  addProgram(name: string, script: string): void {
    writeProgram(join(this.folder, 'bin'), name, script)
  }

  /** Starts a cluster of two peers. The first peer generates the key of the first machine's user. */
  async startCluster(): Promise<void> {
    const clone = this.clone()
    for (const meets of [/ leads \(epoch/, / member \w{8} is alive/]) {
      const peer = this.start({ text: 'exec p2p-worker join --slots 1', clone })
      await peer.until(meets)
    }
  }

  /** The key of the cluster. */
  get key(): string {
    return readFileSync(join(this.home('1'), '.local/share/p2p-worker/keys/default.key'), 'utf8').trim()
  }

  home(host: HostName): string {
    const home = join(this.folder, `home${host}`)
    mkdirSync(home, { recursive: true })
    return home
  }

  /** Creates a folder with the content of a built clone, into which blocks may write. */
  clone(): string {
    return makeClone(join(this.folder, `clone${++this.#clones}`))
  }

  /** Starts a script of bash lines on one of the machines. */
  start(init: {
    text: string
    prelude?: string
    clone: string
    host?: HostName
    env?: NodeJS.ProcessEnv
    terminal?: boolean
    wrap?: string[]
  }): Script {
    const { text, prelude, clone, host = '1', env = {}, terminal = false, wrap = [] } = init
    const home = this.home(host)
    const script = new Script({
      text,
      prelude,
      wrap: [...this.hosts.wrap(Number(host) - 1), ...wrap],
      cwd: clone,
      terminal,
      env: {
        PATH: `${join(this.folder, 'bin')}:${process.env.PATH}`,
        HOME: home,
        TMPDIR: home,
        USER: 'user',
        LANG: 'C.UTF-8',
        TERM: terminal ? 'xterm-256color' : 'dumb',
        ...env
      }
    })
    this.#scripts.push(script)
    return script
  }

  /** Ends all scripts, including the scripts of sessions that did not reach their end. */
  async stop(): Promise<void> {
    await Promise.all(this.#scripts.map(script => script.end()))
    await this.hosts.stop()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Creates a folder `p2p-worker` within `folder`, with the content of a built clone. */
export function makeClone(folder: string): string {
  const clone = join(folder, 'p2p-worker')
  cpSync(root, clone, { recursive: true, filter: path => !LEFT_OUT.has(basename(path)) })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  return clone
}

/** Writes an executable program into a folder. `script` contains the program as lines of sh. */
export function writeProgram(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
}
