/** Disks of 1 MiB that a test fills up. They are mounted in a mount namespace of their own and end with it. Needs root. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ID_BYTES, valueIn } from '../../src/persistence/log/frames.ts'
import { scanSegment } from '../../src/persistence/log/segment.ts'

export class SmallDisks {
  readonly #folder: string
  readonly #holder: ChildProcess

  private constructor(folder: string, holder: ChildProcess) {
    this.#folder = folder
    this.#holder = holder
  }

  /** Mounts `count` disks in a folder. */
  static async create(folder: string, count: number): Promise<SmallDisks> {
    for (let disk = 0; disk < count; disk++) mkdirSync(join(folder, `disk ${disk}`))
    const mount = 'for disk in "$0"/*; do mount -t tmpfs -o size=1m none "$disk" || exit; done; echo up; exec cat'
    const holder = spawn('unshare', ['-m', 'sh', '-c', mount, folder], { stdio: ['pipe', 'pipe', 'inherit'] })
    await Promise.race([
      once(holder.stdout!, 'data'),
      once(holder, 'exit').then(() => Promise.reject(new Error('the disks cannot be mounted')))
    ])
    return new SmallDisks(folder, holder)
  }

  /** The command prefix that makes the disks visible to a command. */
  get wrap(): string[] {
    return ['nsenter', '-t', String(this.#holder.pid), '-m']
  }

  /** The path of a data folder on a disk, for commands under `wrap`. */
  dataDir(disk: number): string {
    return join(this.#folder, `disk ${disk}`, 'data')
  }

  /** Fills the disk up to the last byte. */
  fill(disk: number): void {
    const filler = openSync(this.#filler(disk), 'a')
    try {
      for (;;) writeSync(filler, Buffer.alloc(4_096))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    } finally {
      closeSync(filler)
    }
  }

  free(disk: number): void {
    rmSync(this.#filler(disk))
  }

  /** Mounts the disk again. No process may have its files open for writing. */
  setReadOnly(disk: number, isReadOnly: boolean): void {
    const [command, ...args] = this.wrap
    const how = `remount,${isReadOnly ? 'ro' : 'rw'}`
    execFileSync(command!, [...args, 'mount', '-o', how, join(this.#folder, `disk ${disk}`)])
  }

  /** The saved state of a peer. */
  state(disk: number): Record<string, unknown> {
    const folder = join(this.#seen(disk), 'data', 'log')
    const names = readdirSync(folder).filter(name => name.endsWith('.log'))
    const states = names.sort().flatMap(name => {
      const bytes = readFileSync(join(folder, name))
      const { frames: all } = scanSegment(bytes, new Uint8Array(ID_BYTES))
      const frames = all.filter(({ key }) => key === 'u/state')
      return frames.map(frame => valueIn(bytes.subarray(frame.offset, frame.offset + frame.bytes)))
    })
    return JSON.parse(new TextDecoder().decode(states.at(-1))) as Record<string, unknown>
  }

  async stop(): Promise<void> {
    const gone = once(this.#holder, 'exit')
    this.#holder.stdin!.end()
    await gone
  }

  #filler(disk: number): string {
    return join(this.#seen(disk), 'filler')
  }

  /** The path of a disk for this process, which is outside of the namespace. */
  #seen(disk: number): string {
    return join(`/proc/${this.#holder.pid}/root`, this.#folder, `disk ${disk}`)
  }
}
