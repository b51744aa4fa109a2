/**
 * Schedules drawing: in a frame of the browser, everything that is due in the same one, only when there is something new, and never while the page is
 * hidden. A frame costs more than what is drawn in it.
 */

/** Between two pictures of what is not urgent, in ms: the peer tells of it once a second. */
const LEAST_MS = 1_000
/** What need not be drawn for so long is drawn all the same with what has to be, in ms. */
const COMPANY_MS = 250

/** When each is due, by `performance.now()`. */
const waiting = new Map<Redraw, number>()
let frame: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined

export class Redraw {
  readonly #draw: () => void
  readonly #least: () => number
  #drawnAt = Number.NEGATIVE_INFINITY

  /** @param least - between two pictures that are not urgent, in ms */
  constructor(draw: () => void, least = () => LEAST_MS) {
    this.#draw = draw
    this.#least = least
  }

  /** @param urgent - with the next frame */
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
        // One may be stopped by what another draws.
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
