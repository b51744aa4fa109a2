/** A peer of the demo: a `p2p-worker join` process. The demo observes the peer through its events. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** The state of one peer and its view of the cluster, taken from its events. */
export interface PeerView {
  /** The number of the peer, counted from 1 in the order of the starts. */
  readonly number: number
  readonly id: string
  readonly addresses: readonly string[]
  /** The members, except the peer itself, that the peer considers alive. */
  readonly alive: ReadonlySet<string>
  readonly leader: { id: string; epoch: number } | undefined
  /** The id of the peer's process; undefined if the process did not start. */
  readonly pid: number | undefined
}

/** The fields of a line of `join --json` that the demo reads. */
interface Event {
  event: 'ready' | 'member' | 'leader' | 'job'
  peerId: string | null
  addresses?: string[]
  state?: string
  epoch?: number
}

export interface PeerProcessOptions {
  number: number
  environment: NodeJS.ProcessEnv
  bootstrap: readonly string[]
  /** Called after each change of the peer's view. */
  onChange: () => void
  /** Called when the process has ended, with the last lines that it wrote to stderr. */
  onExit: (peer: PeerProcess, lastWords: string) => void
}

/** The number of stderr lines that are kept to explain an unexpected end. */
const KEPT_LINES = 20

function isEvent(value: unknown): value is Event {
  return typeof value === 'object' && value !== null && 'event' in value && 'peerId' in value
}

export class PeerProcess implements PeerView {
  readonly number: number
  id = ''
  addresses: readonly string[] = []
  readonly alive = new Set<string>()
  leader: { id: string; epoch: number } | undefined
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>
  #running = true
  readonly #child: ChildProcess

  constructor(options: PeerProcessOptions) {
    this.number = options.number
    const main = fileURLToPath(new URL('../main.js', import.meta.url))
    const bootstrap = options.bootstrap.flatMap(address => ['--bootstrap', address])
    const args = ['join', '--json', '--cluster', 'demo', '--no-mdns', '--listen', '/ip4/127.0.0.1/tcp/0']
    this.#child = spawn(
      process.execPath,
      [main, ...args, '--slots', '1', '--profile', 'local', '--log-level', 'error', ...bootstrap],
      { env: options.environment, stdio: ['pipe', 'pipe', 'pipe'] }
    )
    const lastWords: string[] = []
    createInterface({ input: this.#child.stderr! }).on('line', line => {
      lastWords.push(line)
      if (lastWords.length > KEPT_LINES) lastWords.shift()
    })
    createInterface({ input: this.#child.stdout! }).on('line', line => {
      const event: unknown = JSON.parse(line)
      if (!isEvent(event)) return
      this.#take(event)
      options.onChange()
    })
    // Another listener handles the end of the process, so a failed write to the process needs no handling here.
    this.#child.stdin!.on('error', () => {})
    this.exited = new Promise(resolve => {
      this.#child.once('error', error => lastWords.push(error.message))
      this.#child.once('close', () => {
        this.#running = false
        options.onExit(this, lastWords.join('\n'))
        resolve()
      })
    })
  }

  /** Whether the process runs. */
  get running(): boolean {
    return this.#running
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    if (this.#running) this.#child.kill(signal)
  }

  #take(event: Event): void {
    const { event: kind, peerId, addresses = [], state, epoch = 0 } = event
    if (kind === 'ready' && peerId !== null) {
      this.id = peerId
      this.addresses = addresses
    } else if (kind === 'leader') {
      this.leader = peerId === null ? undefined : { id: peerId, epoch }
    } else if (kind === 'member' && peerId !== null) {
      if (state === 'alive') this.alive.add(peerId)
      else this.alive.delete(peerId)
    }
  }
}
