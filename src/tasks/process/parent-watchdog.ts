/**
 * A small shell beside the peer that kills the processes of tasks when the peer is gone. Such a process has one thread: while user code keeps
 * the thread busy, the process cannot notice the end of its peer.
 */
import { type ChildProcess, spawn } from 'node:child_process'

/** A script that reads which process groups to kill (`+ GROUP`, `- GROUP`), and kills them when its input ends with the peer. */
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

  /** Registers a process group: the shell kills the group when the peer is gone, unless {@link remove} comes first. */
  add(group: number): void {
    this.#groups.add(group)
    if (this.#shell === undefined) this.#start()
    else this.#tell(`+ ${group}`)
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`- ${group}`)
  }

  /** Kills the groups that are left. */
  stop(): Promise<void> {
    this.#stopped = true
    const shell = this.#shell
    if (shell === undefined) return Promise.resolve()
    return new Promise(resolve => {
      shell.once('close', () => resolve())
      // This process must not end before the shell.
      shell.ref()
      shell.stdin?.end()
    })
  }

  #start(): void {
    // Without a shell, a process ends when it next returns to its event loop and reads the end of its input.
    if (this.#stopped || process.platform === 'win32') return
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      // A process group of its own: a terminal's signals reach only the peer.
      detached: true
    })
    this.#shell = shell
    shell.stdin?.on('error', () => {})
    shell.once('error', () => this.#gone(shell))
    shell.once('close', () => this.#gone(shell))
    shell.unref()
    for (const group of this.#groups) this.#tell(`+ ${group}`)
  }

  /** Starts another shell if this one was killed. */
  #gone(shell: ChildProcess): void {
    if (this.#shell !== shell) return
    this.#shell = undefined
    if (this.#groups.size > 0 && shell.pid !== undefined) this.#start()
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`)
  }
}
