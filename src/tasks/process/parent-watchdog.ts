/**
 * A small shell beside the peer that kills the processes of tasks when the peer has ended. A process of a task has a single thread: while user
 * code keeps the thread busy, the process cannot notice the end of its peer.
 */
import { type ChildProcess, spawn } from 'node:child_process'

/** A script that reads which process groups to kill (`+ GROUP`, `- GROUP`). The input ends when the peer ends; then the script kills the groups. */
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

  /** Registers a process group. When the peer has ended, the shell kills the group, unless {@link remove} has removed the group. */
  add(group: number): void {
    this.#groups.add(group)
    if (this.#shell === undefined) this.#start()
    else this.#tell(`+ ${group}`)
  }

  remove(group: number): void {
    if (this.#groups.delete(group)) this.#tell(`- ${group}`)
  }

  /** Kills the groups that are still registered. */
  stop(): Promise<void> {
    this.#stopped = true
    const shell = this.#shell
    if (shell === undefined) return Promise.resolve()
    return new Promise(resolve => {
      shell.once('close', () => resolve())
      // This process must not end before the shell has ended.
      shell.ref()
      shell.stdin?.end()
    })
  }

  #start(): void {
    // Without a shell, a process ends only when it returns to its event loop and reads the end of its input.
    if (this.#stopped || process.platform === 'win32') return
    const shell = spawn('/bin/sh', ['-c', SCRIPT], {
      env: {},
      stdio: ['pipe', 'ignore', 'ignore'],
      // The shell has its own process group, so the signals of a terminal reach only the peer.
      detached: true
    })
    this.#shell = shell
    shell.stdin?.on('error', () => {})
    shell.once('error', () => this.#gone(shell))
    shell.once('close', () => this.#gone(shell))
    shell.unref()
    for (const group of this.#groups) this.#tell(`+ ${group}`)
  }

  /** Starts another shell if the shell was killed. */
  #gone(shell: ChildProcess): void {
    if (this.#shell !== shell) return
    this.#shell = undefined
    if (this.#groups.size > 0 && shell.pid !== undefined) this.#start()
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`)
  }
}
