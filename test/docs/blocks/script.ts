/** Runs lines of bash in their own process group, as if a user typed them into a terminal. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { withoutEscapes } from './output.ts'

/** The interval between two checks of the output, in ms. */
const LOOK_MS = 50
/** The time within which a script must end or print the expected text, in ms. */
const LIMIT_MS = 100_000
/** The time within which a signalled script must end, in ms. */
const END_LIMIT_MS = 20_000

export interface ScriptInit {
  text: string
  /** The lines that run before `text`. */
  prelude?: string
  /** The words before the command that run the command elsewhere, for example in another network namespace. */
  wrap: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  /** Whether the script runs in a terminal. The terminal has 100 columns and 30 rows. */
  terminal: boolean
}

export class Script {
  readonly #text: string
  readonly #child: ChildProcess
  readonly #log: string
  readonly #exited: Promise<unknown>
  readonly #terminal: boolean
  #isOver = false

  constructor({ text, prelude = '', wrap, cwd, env, terminal }: ScriptInit) {
    this.#text = text
    this.#terminal = terminal
    const folder = mkdtempSync(join(env.TMPDIR ?? cwd, 'script-'))
    const file = join(folder, 'script.sh')
    this.#log = join(folder, 'log')
    // When a process enters another mount namespace, its working directory becomes the root of the namespace.
    writeFileSync(
      file,
      [`cd '${cwd}'`, ...(terminal ? ['stty columns 100 rows 30'] : []), prelude, text, ''].join('\n')
    )
    const bash = ['bash', '-eu', '-o', 'pipefail', file]
    const [program, ...args] = terminal ? [...wrap, 'script', '-qefc', bash.join(' '), '/dev/null'] : [...wrap, ...bash]
    const log = openSync(this.#log, 'a')
    // The log is a file, because background processes of the script would hold a pipe open.
    this.#child = spawn(program!, args, { env, detached: true, stdio: [terminal ? 'pipe' : 'ignore', log, log] })
    closeSync(log)
    this.#exited = once(this.#child, 'exit')
  }

  /** The stdout and stderr that the script has printed so far. */
  get output(): string {
    const output = readFileSync(this.#log, 'utf8')
    return this.#terminal ? withoutEscapes(output) : output
  }

  get pid(): number {
    return this.#child.pid!
  }

  get code(): number | null {
    return this.#child.exitCode
  }

  /** Waits until the script ends by itself. The background processes of the script continue. */
  async ended(limitMs = LIMIT_MS): Promise<number | null> {
    await Promise.race([this.#exited, delay(limitMs, undefined, { ref: false })])
    if (this.#isRunning) {
      throw new Error(
        `does not end within ${limitMs / 1000} s; if it is to go on, put <!-- until: TEXT --> before it:\n${this.#text}\nprinted:\n${this.output}`
      )
    }
    return this.code
  }

  /** Waits until the output of the running script matches. */
  async until(pattern: RegExp): Promise<void> {
    for (const limit = performance.now() + LIMIT_MS; !pattern.test(this.output); await delay(LOOK_MS)) {
      if (!this.#isRunning && !pattern.test(this.output)) {
        throw new Error(
          `ended with ${this.code} before it printed ${pattern}:\n${this.#text}\nprinted:\n${this.output}`
        )
      }
      if (performance.now() > limit) {
        throw new Error(`has not printed ${pattern}:\n${this.#text}\nprinted:\n${this.output}`)
      }
    }
  }

  /** Interrupts the script as Ctrl-C does, if the script still runs. Returns the exit code of the script. */
  async interrupt(): Promise<number | null> {
    if (this.#isRunning) {
      this.#signal('SIGINT')
      await Promise.race([this.#exited, delay(END_LIMIT_MS, undefined, { ref: false })])
    }
    return this.code
  }

  /** Ends the script and every process that it started. Only the first call sends a signal, because the pid may later belong to another process. */
  async end(): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    this.#signal('SIGTERM')
    const limit = performance.now() + END_LIMIT_MS
    while (this.goesOn && performance.now() < limit) await delay(LOOK_MS)
    this.#signal('SIGKILL')
    await this.#exited
  }

  /** Whether the script or a process that it started still runs. */
  get goesOn(): boolean {
    return this.#signal(0)
  }

  get #isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-this.pid, signal)
    } catch {
      return false
    }
  }
}
