/** A real terminal of a given size, which is one window of its own tmux server. A test types into the terminal and reads its screen. */
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

/** The interval between two checks of the screen, in ms. */
const LOOK_MS = 40
/** The time within which the screen must show the expected text, in ms. */
const LIMIT_MS = 60_000

export interface TerminalInit {
  /** The number of columns. Default: 80. */
  columns?: number
  /** The number of rows. Default: 24. */
  rows?: number
  /** Further variables of the environment, which contains only PATH of the test's own environment. The value undefined removes a variable. */
  env?: Record<string, string | undefined>
  /** The command that runs in the terminal. Default: a bash without settings, with the prompt `$ `. */
  command?: string[]
  /** The working directory. Default: the repository. */
  cwd?: string
}

/** A terminal with `p2p-worker` in its PATH and the variables of {@link Terminal.env} in its environment. */
export class Terminal {
  /** The temporary home folder, which is also P2P_WORKER_HOME. `stop` removes this folder. */
  readonly home: string
  /** The environment of the programs. P2P_WORKER_KEY and P2P_WORKER_CLUSTER contain the key and the name of a cluster. */
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
        // The default prompt depends on the user, because root has `#`.
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

  /** Returns the rows of the screen without trailing spaces. */
  async rows(): Promise<string[]> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-t', 'test')
    return stdout.replace(/\n$/, '').split('\n')
  }

  /** Returns the text of the screen without empty rows at the end. */
  async screen(): Promise<string> {
    return (await this.rows()).join('\n').trimEnd()
  }

  /** Returns the text of the screen with the escape sequences of colours, and with trailing spaces, which may also be coloured. */
  async coloured(): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-e', '-N', '-t', 'test')
    return stdout.trimEnd()
  }

  /** Returns the text of the scrollback and of the present screen. */
  async history(): Promise<string> {
    const { stdout } = await this.#tmux('capture-pane', '-p', '-S', '-', '-t', 'test')
    return stdout.trimEnd()
  }

  /** Types text literally. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-t', 'test', '-l', '--', text)
  }

  /** Presses keys. The names of the keys are the names in tmux: `Enter`, `Tab`, `Up`, `C-c`, `q`. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', '-t', 'test', ...keys)
  }

  /** Types a command and presses Enter. */
  async enter(command: string): Promise<void> {
    await this.type(command)
    await this.press('Enter')
  }

  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-t', 'test', '-x', String(columns), '-y', String(rows))
  }

  /**
   * Waits until the screen matches, and resolves with the text of the screen. After `limitMs`, rejects with an error that contains the last screen.
   *
   * @param shows - the expected text or pattern, or a predicate of the screen
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

  /** Ends all processes of the terminal and removes its home folder. */
  async stop(): Promise<void> {
    if (this.#server !== 0) {
      await this.#tmux('kill-server').catch(() => {})
      while (isRunning(this.#server)) await new Promise(resolve => setTimeout(resolve, LOOK_MS))
    }
    await rm(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }

  async #begin(columns: number, rows: number, command: string[], cwd: string): Promise<void> {
    const settings = ['set -g default-terminal screen-256color', 'set -g status off']
    // The screen stays readable after the command of the terminal has ended.
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
