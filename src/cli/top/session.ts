/** One run of `top`. Events and keys change the model and the controls, and each change redraws the screen. */
import type { Client } from '../../api/types.ts'
import { cancelJob } from '../commands/cancel.ts'
import type { Interruption } from '../terminal/interruption.ts'
import { screenOf } from '../terminal/screen.ts'
import { oneLine } from '../terminal/text-width.ts'
import { type Action, type Controls, press, startControls } from './controls.ts'
import { type Happening, happen, type Model, startModel } from './model.ts'
import { listsOf, picture } from './picture.ts'
import { Screen, type Terminal } from './screen.ts'
import type { startView, View } from './view.tsx'
import { now, watchCluster } from './watch.ts'

/** How long events are collected before a frame is drawn, in ms. */
const DRAW_MS = 50
/**
 * The shortest interval between two frames that events cause, in ms, because a cluster in trouble has many events. A
 * key redraws the screen at once.
 */
const LEAST_BETWEEN_MS = 500
/**
 * How long `top` waits until the kernel stops the process, in ms. Without job control, the kernel never stops the
 * process, so `top` continues after this time.
 */
const STOPPED_MS = 200

/** The signals that end a program by default. The interruption handles SIGINT and SIGTERM. */
const ENDING = ['SIGHUP', 'SIGQUIT'] as const

export interface SessionInit {
  client: Client
  cluster: string
  startView: typeof startView
  stdin: NodeJS.ReadStream
  stdout: Terminal
  stderr: NodeJS.WriteStream
}

export class Session {
  readonly #init: SessionInit
  readonly #screen: Screen
  readonly #over = new AbortController()
  #model: Model
  #controls: Controls = startControls()
  #view: View | undefined
  #drawing: NodeJS.Timeout | undefined
  #drawnAt = Number.NEGATIVE_INFINITY

  constructor(init: SessionInit) {
    this.#init = init
    this.#screen = new Screen(init.stdout)
    this.#model = startModel(init.cluster)
  }

  /** Shows the cluster until the user quits or the interruption fires. */
  async run(interruption: Interruption): Promise<void> {
    const { client, stdout, stdin, stderr, startView } = this.#init
    const quit = (): void => this.#over.abort()
    const end = (signal: NodeJS.Signals): void => {
      endedBy = signal
      quit()
    }
    let endedBy: NodeJS.Signals | undefined
    interruption.signal.addEventListener('abort', quit, { once: true })
    if (interruption.signal.aborted) quit()
    for (const signal of ENDING) process.on(signal, end)
    process.on('SIGCONT', this.#resume)
    // Reading from a closed terminal fails. SIGHUP arrives at about the same time.
    stdin.on('error', quit)
    stdout.on('resize', this.#resized)
    this.#screen.enter()
    const view = startView({
      stdin,
      stderr,
      styled: !process.env.NO_COLOR,
      onKey: key => this.#press(key),
      onDrawn: rows => this.#screen.draw(rows)
    })
    this.#view = view
    try {
      const watched = watchCluster(client, happening => this.#tell(happening), this.#over.signal)
      await Promise.race([watched, view.ended])
    } finally {
      quit()
      clearTimeout(this.#drawing)
      stdout.off('resize', this.#resized)
      process.off('SIGCONT', this.#resume)
      this.#view = undefined
      view.stop()
      this.#screen.leave()
      for (const signal of ENDING) process.off(signal, end)
      // The terminal is already restored, and the signal now ends the process by default.
      if (endedBy !== undefined) process.kill(process.pid, endedBy)
    }
  }

  #tell(happening: Happening): void {
    this.#model = happen(this.#model, happening)
    const wait = Math.max(DRAW_MS, this.#drawnAt + LEAST_BETWEEN_MS - performance.now())
    this.#drawing ??= setTimeout(() => this.#draw(), wait)
  }

  #draw(): void {
    clearTimeout(this.#drawing)
    this.#drawing = undefined
    if (!this.#screen.isOpen) return
    this.#drawnAt = performance.now()
    const size = screenOf(this.#init.stdout)
    this.#view?.show(picture(this.#model, this.#controls, size, now()), size.columns)
  }

  #press(key: string): void {
    if (this.#over.signal.aborted) return
    const { controls, action } = press(this.#controls, key, listsOf(this.#model, screenOf(this.#init.stdout)))
    this.#controls = controls
    if (action !== undefined) this.#act(action)
    this.#draw()
  }

  #act(action: Action): void {
    switch (action.type) {
      case 'quit':
        this.#over.abort()
        break
      case 'say':
        this.#tell({ type: 'note', at: now(), text: action.text, tone: 'plain' })
        break
      case 'redraw':
        this.#screen.clear()
        break
      case 'suspend':
        this.#suspend()
        break
      case 'cancel':
        void this.#cancel(action.jobId)
    }
  }

  async #cancel(jobId: string): Promise<void> {
    const note = (text: string, tone: 'plain' | 'good' | 'bad'): void =>
      this.#tell({ type: 'note', at: now(), text: oneLine(text), tone })
    note(`cancelling job ${jobId} …`, 'plain')
    try {
      note(await cancelJob(this.#init.client, jobId, this.#over.signal), 'good')
    } catch (error) {
      if (!this.#over.signal.aborted) note(`job ${jobId} is not cancelled: ${(error as Error).message}`, 'bad')
    }
  }

  /** Handles Ctrl-Z: restores the terminal and stops the whole process group. */
  #suspend(): void {
    // Windows cannot stop a process.
    if (process.platform === 'win32') return
    this.#screen.leave()
    this.#init.stdin.setRawMode(false)
    setTimeout(this.#resume, STOPPED_MS)
    process.kill(0, 'SIGTSTP')
  }

  readonly #resume = (): void => {
    if (this.#over.signal.aborted) return
    // The shell has used the terminal while this process was stopped, so the mode and the screen must be set up again.
    this.#init.stdin.setRawMode(true)
    if (this.#screen.isOpen) this.#screen.clear()
    this.#screen.enter()
    this.#draw()
  }

  readonly #resized = (): void => {
    this.#screen.clear()
    this.#draw()
  }
}
