import { hideLive, isInteractive, type LiveLine, say, showLive } from '../terminal/output.ts'

/** The shortest interval between two redraws, in ms. */
const REDRAW_MS = 80
/** The interval at which the line is redrawn without new progress, in ms. The times and rates in the line change. */
const CLOCK_MS = 1_000
/** The shortest interval between two plain lines if there is no terminal, in ms. */
const PLAIN_MS = 10_000
/**
 * The shortest interval between two plain lines as a share of the elapsed time, so that a job of hours does not fill
 * its log.
 */
const PLAIN_SHARE = 0.1

export interface ProgressLineOptions {
  /** Whether stderr is a terminal that a person reads. */
  interactive?: boolean
  /** Whether plain lines are printed when stderr is not a terminal. Default true. */
  plain?: boolean
}

/**
 * Shows progress on stderr. A terminal gets a live line. Other output gets a plain line from time to time, but no line
 * in the first seconds.
 */
export class ProgressLine {
  readonly #interactive: boolean
  readonly #startedAt = performance.now()
  readonly #clock: NodeJS.Timeout | undefined
  #line: LiveLine | undefined
  #drawnAt = Number.NEGATIVE_INFINITY
  #saidAt = this.#startedAt
  #timer: NodeJS.Timeout | undefined
  #ended = false

  constructor({ interactive = isInteractive(process.stderr), plain = true }: ProgressLineOptions = {}) {
    this.#interactive = interactive
    if (interactive) this.#clock = setInterval(() => this.#draw(), CLOCK_MS).unref()
    else if (plain) this.#clock = setInterval(() => this.#sayWhenDue(), CLOCK_MS).unref()
  }

  /** @param line - renders the progress at the time when it is called */
  update(line: LiveLine): void {
    if (this.#ended) return
    this.#line = line
    if (!this.#interactive || this.#timer !== undefined) return
    const wait = this.#drawnAt + REDRAW_MS - performance.now()
    if (wait <= 0) this.#draw()
    else {
      this.#timer = setTimeout(() => {
        this.#timer = undefined
        this.#draw()
      }, wait).unref()
    }
  }

  /** Removes the line. The line is not drawn again. */
  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    clearInterval(this.#clock)
    if (this.#interactive) hideLive()
  }

  /** Removes the line and prints a final line, if stderr is a terminal or has already got a plain progress line. */
  conclude(line: string): void {
    this.end()
    if (this.#interactive || this.#saidAt !== this.#startedAt) say(line)
  }

  #draw(): void {
    if (this.#line === undefined) return
    this.#drawnAt = performance.now()
    showLive(this.#line)
  }

  #sayWhenDue(): void {
    const now = performance.now()
    const gap = Math.max(PLAIN_MS, PLAIN_SHARE * (now - this.#startedAt))
    if (this.#line === undefined || now - this.#saidAt < gap) return
    this.#saidAt = now
    say(this.#line(Number.POSITIVE_INFINITY))
  }
}
