/**
 * Schedules redraws in the browser's frames. A frame costs more than the drawing in it. So all redraws that are due share a frame, and
 * no frame is requested without a change or while the page is hidden.
 */

/** The shortest interval between two redraws that are not urgent, in ms. The peer sends data once a second. */
const LEAST_MS = 1_000
/** In ms: a redraw that is due within this time is drawn in the present frame. */
const COMPANY_MS = 250

/** The time at which each redraw is due, by `performance.now()`. */
const waiting = new Map<Redraw, number>()
let frame: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined

export class Redraw {
  readonly #draw: () => void
  readonly #least: () => number
  #drawnAt = Number.NEGATIVE_INFINITY

  /** @param least - returns the shortest interval between two redraws that are not urgent, in ms */
  constructor(draw: () => void, least = () => LEAST_MS) {
    this.#draw = draw
    this.#least = least
  }

  /** @param urgent - whether to draw with the next frame */
  wanted(urgent: boolean): void {
    const at = urgent ? Number.NEGATIVE_INFINITY : this.#drawnAt + this.#least()
    waiting.set(this, Math.min(at, waiting.get(this) ?? at))
    schedule()
  }

  stop(): void {
    waiting.delete(this)
  }

  draw(now: number): void {
    this.#drawnAt = now
    this.#draw()
  }
}

function schedule(): void {
  clearTimeout(timer)
  if (document.hidden || frame !== undefined || waiting.size === 0) return
  const wait = Math.min(...waiting.values()) - performance.now()
  if (wait > 0) timer = setTimeout(ask, wait)
  else ask()
}

function ask(): void {
  frame ??= requestAnimationFrame(() => {
    frame = undefined
    const now = performance.now()
    try {
      for (const [redraw, at] of [...waiting]) {
        // A redraw that draws may stop a redraw that is still due.
        if (at <= now + COMPANY_MS && waiting.delete(redraw)) redraw.draw(now)
      }
    } finally {
      schedule()
    }
  })
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && waiting.size > 0) ask()
})
