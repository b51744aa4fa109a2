import { hideLive, isInteractive, type LiveLine, say, showLive } from '../terminal/output.ts'

/** Redraws are at least this far apart, in ms. */
const REDRAW_MS = 80
/** Without any news it is drawn anew this often, since times and rates pass, in ms. */
const CLOCK_MS = 1_000
/** Off a terminal a line is said no sooner than this after the one before, in ms, and */
const PLAIN_MS = 10_000
/** no sooner than after this share of the time so far: a job of hours does not fill its log. */
const PLAIN_SHARE = 0.1

export interface ProgressLineOptions {
  /** Whether stderr is a terminal for a person. */
  interactive?: boolean
  /** Off a terminal: whether a line is said now and then. Default true. */
  plain?: boolean
}

/** A live line on stderr where it is a terminal; elsewhere a plain line now and then, and none in the first seconds. */
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

  /** @param line - the news, as they are when it is called */
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

  /** Takes the line away, for good. */
  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    clearInterval(this.#clock)
    if (this.#interactive) hideLive()
  }

  /** Says in one line what has been done, where a person looks, or has been told of it before. */
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
