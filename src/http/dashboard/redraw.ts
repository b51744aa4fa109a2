/**
 * When the page is drawn: with a frame of the browser, all that is to be drawn in the same one, not more often than there is something new, and never while nobody
 * sees it. A frame costs more than what is drawn in it.
 */

/** Between two pictures of what is not urgent, in ms: the peer tells of it once a second. */
const LEAST_MS = 1_000

const wanted = new Set<() => void>()
let frame: number | undefined
let timer: ReturnType<typeof setTimeout> | undefined
let drawnAt = Number.NEGATIVE_INFINITY

export class Redraw {
  readonly #draw: () => void

  constructor(draw: () => void) {
    this.#draw = draw
  }

  /** @param urgent - with the next frame */
  wanted(urgent: boolean): void {
    wanted.add(this.#draw)
    schedule(urgent)
  }

  stop(): void {
    wanted.delete(this.#draw)
  }
}

function schedule(urgent: boolean): void {
  if (document.hidden || frame !== undefined) return
  const wait = urgent ? 0 : drawnAt + LEAST_MS - performance.now()
  if (wait <= 0) next()
  else timer ??= setTimeout(next, wait)
}

function next(): void {
  clearTimeout(timer)
  timer = undefined
  frame ??= requestAnimationFrame(() => {
    frame = undefined
    drawnAt = performance.now()
    const now = [...wanted]
    wanted.clear()
    for (const draw of now) draw()
  })
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && wanted.size > 0) schedule(true)
})
