/** Runs systems that are written in Python. For each system a script in this folder submits the tasks, measures the time and prints one line of JSON. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { root } from '../../test/cluster/processes.ts'
import { hasEnded, untimelyEnd } from './children.ts'

const FOLDER = `${root}/bench/throughput`
/** The number of last stderr lines that an error message includes. */
const STDERR_LINES = 2

export interface Python {
  command: string
  /** The version of the first module of the list. */
  version: string
}

/** Returns a Python that has these modules: the first Python in the PATH, or else the system's Python. Returns undefined if neither has the modules. */
export function pythonWith(...modules: string[]): Python | undefined {
  const code = `import ${modules.join(', ')}; print(${modules[0]}.__version__)`
  for (const command of ['python3', '/usr/bin/python3']) {
    try {
      const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
      return { command, version: execFileSync(command, ['-c', code], { encoding: 'utf8', stdio }).trim() }
    } catch {
      // Try the next Python.
    }
  }
  return undefined
}

/** A Python process with its descendants. */
export class PythonProcess {
  readonly #child: ChildProcess
  readonly #home = mkdtempSync(join(tmpdir(), 'p2p-worker-bench-'))
  readonly #lines: string[] = []
  #stderr = ''

  constructor({ command }: Python, args: string[], env: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(command, args, {
      cwd: this.#home,
      env: { ...process.env, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1', TMPDIR: this.#home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // The processes get a separate process group, so that the whole group can be ended.
      detached: true
    })
    this.#child.stderr!.on('data', text => {
      this.#stderr = `${this.#stderr}${text}`.slice(-10_000)
    })
    createInterface({ input: this.#child.stdout! }).on('line', line => this.#lines.push(line))
  }

  /** Waits until the script has ended with code 0. Resolves to the last JSON line that the script printed. */
  async result<T>(): Promise<T> {
    const ended = await untimelyEnd('the script', this.#child)
    const line = this.#lines.findLast(each => each.startsWith('{'))
    if (this.#child.exitCode === 0 && line !== undefined) return JSON.parse(line) as T
    const said = this.#stderr.trim().split('\n').slice(-STDERR_LINES).join(' | ')
    throw new Error(`${ended.message} (${said})`)
  }

  async stop(): Promise<void> {
    const { pid } = this.#child
    const ended = untimelyEnd('', this.#child)
    try {
      // The process group may outlive its first process.
      if (pid !== undefined) process.kill(-pid, 'SIGKILL')
    } catch {
      // The process group no longer exists.
    }
    if (!hasEnded(this.#child)) await ended
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 })
  }
}

export function script(name: string): string {
  return `${FOLDER}/${name}`
}
