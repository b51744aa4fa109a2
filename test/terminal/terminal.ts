/** A real terminal of a given size, which a test types into and looks at: a tmux server of its own, with one window. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { generateClusterKey } from '../../src/network/cluster-key.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const main = join(root, 'dist', 'cli', 'main.js')

/** Between two looks at the screen, in ms. */
const LOOK_MS = 40
/** How long a screen may take to be as it should, in ms. */
const LIMIT_MS = 60_000

export interface TerminalInit {
  /** Default 80. */
  columns?: number
  /** Default 24. */
  rows?: number
  /** Added to the environment, which holds nothing of the test's own but its PATH; undefined takes a variable away. */
  env?: Record<string, string | undefined>
  /** What runs in it. Default: a bash without any settings, whose prompt is `$ `. */
  command?: string[]
  /** The folder in which it starts. Default: the repository. */
  cwd?: string
}

/** `p2p-worker` is in its PATH, and so are the variables of {@link Terminal.env}. */
export class Terminal {
  /** Its own home, which goes with it; P2P_WORKER_HOME, too. */
  readonly home: string
  /** What its programs see. With a cluster's key and name, P2P_WORKER_KEY and P2P_WORKER_CLUSTER. */
  readonly env: Readonly<Record<string, string>>
  readonly #socket: string
  #server = 0

  private constructor(home: string, env: Record<string, string>) {
    this.home = home
    this.env = env
    this.#socket = join(home, 'tmux')
  }

  static async start(init: TerminalInit = {}): Promise<Terminal> {
    const { columns = 80, rows = 24, env = {}, command = ['bash', '--noprofile', '--norc'], cwd = root } = init
    const home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    try {
      await symlink(main, join(home, 'p2p-worker'))
      const set = Object.entries({
        PATH: [home, process.env.PATH].join(delimiter),
        HOME: home,
        TMPDIR: home,
        SHELL: '/bin/sh',
        // The prompt must not depend on who runs the test.
        PS1: '$ ',
        LANG: 'C.UTF-8',
        TERM: 'screen-256color',
        P2P_WORKER_HOME: home,
        P2P_WORKER_KEY: generateClusterKey(),
        P2P_WORKER_CLUSTER: 'test',
        ...env
      }).filter((entry): entry is [string, string] => entry[1] !== undefined)
      const terminal = new Terminal(home, Object.fromEntries(set))
      await terminal.#begin(columns, rows, command, cwd)
      return terminal
    } catch (error) {
      await rm(home, { recursive: true, force: true })
      throw error
    }
  }

  /** What stands on the screen, a string a row, without the spaces at their ends. */
  async rows(): Promise<string[]> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-t', 'test')
    return stdout.replace(/\n$/, '').split('\n')
  }

  /** What stands on the screen, without the empty rows at its end. */
  async screen(): Promise<string> {
    return (await this.rows()).join('\n').trimEnd()
  }

  /** As {@link Terminal.screen}, with the escape sequences of colours, and with the spaces at the ends of rows, which may have some. */
  async coloured(): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-e', '-N', '-t', 'test')
    return stdout.trimEnd()
  }

  /** All that has been on the screen: what scrolled out of it, and what stands there. */
  async history(): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-S', '-', '-t', 'test')
    return stdout.trimEnd()
  }

  /** Types text as it is. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-t', 'test', '-l', '--', text)
  }

  /** Presses keys by the names that tmux gives them: `Enter`, `Tab`, `Up`, `C-c`, `q`. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', '-t', 'test', ...keys)
  }

  /** Types a command, and Enter. */
  async enter(command: string): Promise<void> {
    await this.type(command)
    await this.press('Enter')
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-t', 'test', '-x', String(columns), '-y', String(rows))
  }

  /**
   * Looks at the screen until it is as it should be, and resolves with it. Rejects with what stood there last when that takes too long.
   *
   * @param shows - what it should show, or a predicate of the screen
   */
  async waitFor(shows: string | RegExp | ((screen: string) => boolean), limitMs = LIMIT_MS): Promise<string> {
    const matches = typeof shows === 'function' ? shows : (screen: string) => screen.match(shows) !== null
    const text = typeof shows === 'string' ? (screen: string) => screen.includes(shows) : matches
    const end = performance.now() + limitMs
    for (;;) {
      const screen = await this.screen()
      if (text(screen)) return screen
      if (performance.now() > end) throw new Error(`the screen never showed ${String(shows)}, but at last:\n${screen}`)
      await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    }
  }

  /** Ends all that runs in it, and takes its home away. */
  async stop(): Promise<void> {
    if (this.#server !== 0) {
      await this.#tmux('kill-server').catch(() => {})
      while (isRunning(this.#server)) await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    }
    await rm(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  async #begin(columns: number, rows: number, command: string[], cwd: string): Promise<void> {
    const settings = ['set -g default-terminal screen-256color', 'set -g status off']
    // Whatever ends in it stays to be looked at.
    await writeFile(join(this.home, 'tmux.conf'), [...settings, 'set -g remain-on-exit on', ''].join('\n'))
    const size = ['-x', String(columns), '-y', String(rows)]
    await this.#tmux(
      '-f',
      join(this.home, 'tmux.conf'),
      'new-session',
      '-d',
      '-s',
      'test',
      ...size,
      '-c',
      cwd,
      '--',
      ...command
    )
    const { stdout } = await this.#tmux('display-message', '-p', '#{pid}')
    this.#server = Number(stdout)
  }

  async #tmux(...args: string[]): Promise<{ stdout: string }> {
    return await run('tmux', ['-u', '-S', this.#socket, ...args], { env: this.env, maxBuffer: 16 * 2 ** 20 })
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
