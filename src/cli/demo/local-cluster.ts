/**
 * A cluster of peer processes on this machine, which listen on loopback only. The cluster leaves no processes or files
 * behind.
 */
import { EventEmitter, once } from 'node:events'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { P2pWorkerError } from '../../common/errors.ts'
import { atMost, signalAfter } from '../../lib/abort.ts'
import { generateClusterKey } from '../../network/cluster-key.ts'
import { makeTemporaryFolder, type TemporaryFolder } from '../../persistence/temporary-folder.ts'
import { PeerProcess, type PeerView } from './peer-process.ts'

/** How long processes may take to leave before the demo kills them, in ms. */
const LEAVE_MS = 4_000

/**
 * Returns the environment of the peers. It contains a separate folder and the key, but no options of the user. The key
 * is not visible in a list of processes.
 */
function environmentOf(folder: string, key: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('P2P_WORKER_'))
  return {
    ...Object.fromEntries(inherited),
    TMPDIR: folder,
    P2P_WORKER_HOME: folder,
    P2P_WORKER_KEY: key,
    P2P_WORKER_PARENT_PIPE: '1'
  }
}

export class LocalCluster {
  readonly key = generateClusterKey()
  readonly #folder: TemporaryFolder
  readonly #environment: NodeJS.ProcessEnv
  readonly #peers: PeerProcess[] = []
  /** The peers that the demo has killed on purpose. Their end is no failure. */
  readonly #expected = new Set<PeerProcess>()
  readonly #changes = new EventEmitter().setMaxListeners(0)
  #failure: Error | undefined
  #stopping = false
  readonly #onProcessExit = (): void => this.#endNow()

  /** Creates the cluster. If this process cannot remove the folder of the cluster, a later run removes the folder. */
  static async create(): Promise<LocalCluster> {
    return new LocalCluster(await makeTemporaryFolder(tmpdir(), 'demo-'))
  }

  private constructor(folder: TemporaryFolder) {
    this.#folder = folder
    this.#environment = environmentOf(folder.path, this.key)
    // This listener ends the peers and removes their folder at every exit of this process. After SIGKILL no listener
    // runs: then the pipe to each peer closes, and the peer leaves.
    process.once('exit', this.#onProcessExit)
  }

  /** The running peers, without the peers that the demo has killed. */
  get running(): PeerView[] {
    return this.#peers.filter(peer => peer.running && !this.#expected.has(peer))
  }

  get peers(): readonly PeerView[] {
    return this.#peers
  }

  addresses(): string[] {
    return this.running.flatMap(peer => peer.addresses.slice(0, 1))
  }

  /** Starts a peer process. The peer is ready as soon as its view has an id. */
  start(): PeerView {
    const peer = new PeerProcess({
      number: this.#peers.length + 1,
      environment: this.#environment,
      bootstrap: this.addresses(),
      onChange: () => this.#changes.emit('change'),
      onExit: (ended, lastWords) => {
        if (!this.#stopping && !this.#expected.has(ended)) {
          this.#failure ??= new P2pWorkerError(`peer ${ended.number} ended by itself${lastWords && `:\n${lastWords}`}`)
        }
        this.#changes.emit('change')
      }
    })
    this.#peers.push(peer)
    return peer
  }

  /** Kills the process of a peer without a graceful leave, as in a power cut. */
  kill(view: PeerView): void {
    const peer = this.#peers.find(candidate => candidate === view)
    if (peer === undefined) return
    this.#expected.add(peer)
    peer.kill('SIGKILL')
  }

  /** Returns the leader that all running peers agree on. */
  agreed(): { peer: PeerView; epoch: number } | undefined {
    const [first, ...others] = this.running
    const leader = first?.leader
    if (leader === undefined) return undefined
    if (!others.every(peer => peer.leader?.id === leader.id && peer.leader.epoch === leader.epoch)) return undefined
    const peer = this.running.find(candidate => candidate.id === leader.id)
    return peer && { peer, epoch: leader.epoch }
  }

  /** Waits until the events of the peers make `condition` true. */
  async until(
    condition: () => boolean,
    what: string,
    { ms, signal }: { ms: number; signal: AbortSignal }
  ): Promise<void> {
    const late = signalAfter(ms)
    const ends = AbortSignal.any([signal, late])
    while (this.#failure === undefined && !condition()) {
      signal.throwIfAborted()
      if (late.aborted) throw new P2pWorkerError(`${what}: this did not happen within ${ms / 1_000} s`)
      await once(this.#changes, 'change', { signal: ends }).catch(() => {})
    }
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Calls `listener` after each change. The returned function ends the calls. */
  onChange(listener: () => void): () => void {
    this.#changes.on('change', listener)
    return () => this.#changes.off('change', listener)
  }

  /** Rejects when a peer ends unexpectedly. */
  failed(signal: AbortSignal): Promise<never> {
    return new Promise((_, reject) => {
      const check = (): void => {
        if (this.#failure !== undefined) reject(this.#failure)
      }
      signal.addEventListener('abort', this.onChange(check), { once: true })
      check()
    })
  }

  /** Lets all peers leave. */
  async leave(): Promise<void> {
    this.#stopping = true
    this.#changes.removeAllListeners()
    for (const peer of this.#peers) peer.kill('SIGTERM')
    await this.#gone()
  }

  /** Kills all peers that still run, and removes their folder. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const peer of this.#peers) peer.kill('SIGKILL')
    await this.#gone()
    this.#endNow()
    await this.#folder.release()
    process.off('exit', this.#onProcessExit)
  }

  async #gone(): Promise<void> {
    await atMost(Promise.all(this.#peers.map(peer => peer.exited)), LEAVE_MS)
  }

  /** Kills all peers and removes the folder. This function is synchronous, because it runs when the process exits. */
  #endNow(): void {
    this.#stopping = true
    for (const peer of this.#peers) peer.kill('SIGKILL')
    rmSync(this.#folder.path, { recursive: true, force: true, maxRetries: 3 })
  }
}
