/** When the page is drawn: with a frame of the browser, not more often than eyes need it, and never while nobody sees it. */

/** Between two pictures of what is not urgent, in ms. */
const LEAST_MS = 300

export class Redraw {
  readonly #draw: () => void
  #frame: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #drawnAt = Number.NEGATIVE_INFINITY
  #isWanted = false

  constructor(draw: () => void) {
    this.#draw = draw
    document.addEventListener('visibilitychange', this.#look)
  }

  stop(): void {
    document.removeEventListener('visibilitychange', this.#look)
    clearTimeout(this.#timer)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
  }

  readonly #look = (): void => {
    if (!document.hidden && this.#isWanted) this.wanted(true)
  }

  /** @param urgent - with the next frame */
  wanted(urgent: boolean): void {
    this.#isWanted = true
    if (document.hidden || this.#frame !== undefined) return
    const wait = urgent ? 0 : this.#drawnAt + LEAST_MS - performance.now()
    if (wait <= 0) this.#next()
    else this.#timer ??= setTimeout(() => this.#next(), wait)
  }

  #next(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined
      this.#isWanted = false
      this.#drawnAt = performance.now()
      this.#draw()
    })
  }
}
