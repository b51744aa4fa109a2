/**
 * A small shell beside the peer that ends the processes of isolated tasks when the peer is gone, however it ended: one that is busy does not
 * see that its peer is gone, and its own thread is all that it has.
 */
import { type ChildProcess, spawn } from 'node:child_process'

/** It reads who is to be guarded (`+ GROUP`, `- GROUP`), until its input ends with the peer. */
const SCRIPT = `
trap '' INT TERM HUP
all=
while read -r op group; do
  case $op in
    +) all="$all $group" ;;
    -) rest=
       for each in $all; do [ "$each" = "$group" ] || rest="$rest $each"; done
       all=$rest ;;
  esac
done
for each in $all; do kill -s KILL -- "-$each"; done 2>/dev/null
`

export class ParentWatchdog {
  readonly #groups = new Set<number>()
  #shell: ChildProcess | undefined
  #stopped = false

  /** Ends this process group with the peer, unless {@link remove} comes first. */
  add(group: number): void {
    this.#groups.add(group)
    if (this.#shell === undefined) this.#start()
    else this.#tell(`+ ${group}`)
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`- ${group}`)
  }

  /** Ends what is still guarded. */
  stop(): Promise<void> {
    this.#stopped = true
    const shell = this.#shell
    if (shell === undefined) return Promise.resolve()
    return new Promise(resolve => {
      shell.once('close', () => resolve())
      // Whoever waits for that must not end before.
      shell.ref()
      shell.stdin?.end()
    })
  }

  #start(): void {
    // Where there is no shell there is no guard: then a process ends when it next gives way, and sees that its peer is gone.
    if (this.#stopped || process.platform === 'win32') return
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      // A group of its own: a terminal's signals are for the peer.
      detached: true
    })
    this.#shell = shell
    shell.stdin?.on('error', () => {})
    shell.once('error', () => this.#gone(shell))
    shell.once('close', () => this.#gone(shell))
    shell.unref()
    for (const group of this.#groups) this.#tell(`+ ${group}`)
  }

  /** Somebody ended it; the next one takes over. */
  #gone(shell: ChildProcess): void {
    if (this.#shell !== shell) return
    this.#shell = undefined
    if (this.#groups.size > 0 && shell.pid !== undefined) this.#start()
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`)
  }
}
