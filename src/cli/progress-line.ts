import { isInteractive, say, showLive } from './output.ts'

/** Redraws are at least this far apart, in ms. */
const REDRAW_MS = 80
const BAR_WIDTH = 30

export interface ProgressLineOptions {
  /** Off a terminal: a plain line whenever this many more percent are done; undefined: none. */
  plainEvery?: number
}

/** A bar of `done` out of `total`. */
export function bar(done: number, total: number): string {
  const filled = total === 0 ? 0 : Math.round((Math.min(done, total) / total) * BAR_WIDTH)
  return '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
}

/** A live line on stderr where it is a terminal; elsewhere a plain line now and then. */
export class ProgressLine {
  readonly #interactive = isInteractive(process.stderr)
  readonly #plainEvery: number | undefined
  #drawnAt = Number.NEGATIVE_INFINITY
  #saidStep = 0
  #timer: NodeJS.Timeout | undefined

  constructor(options: ProgressLineOptions = {}) {
    this.#plainEvery = options.plainEvery
  }

  update(text: string, done: number, total: number | undefined): void {
    if (!this.#interactive) {
      this.#plain(text, done, total)
      return
    }
    clearTimeout(this.#timer)
    const wait = this.#drawnAt + REDRAW_MS - performance.now()
    if (wait <= 0) this.#draw(text)
    else this.#timer = setTimeout(() => this.#draw(text), wait).unref()
  }

  end(): void {
    clearTimeout(this.#timer)
    if (this.#interactive) showLive('')
  }

  #draw(text: string): void {
    this.#drawnAt = performance.now()
    showLive(text)
  }

  #plain(text: string, done: number, total: number | undefined): void {
    if (this.#plainEvery === undefined || total === undefined || total === 0) return
    const step = Math.floor((100 * done) / total / this.#plainEvery)
    if (step === this.#saidStep) return
    this.#saidStep = step
    say(text)
  }
}
