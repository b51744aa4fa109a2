/**
 * The terminal while `top` runs. This class switches to the alternate screen, which preserves the previous screen of
 * the user, and redraws only the rows that have changed.
 *
 * Ink could write to the terminal itself. But when a frame fills the screen, Ink clears the screen and the scrollback
 * before each frame. So Ink draws into {@link file://./view.tsx}, and this class compares the rows of the frames.
 */
import { writeSync } from 'node:fs'

const ESC = '\u001b['
// Enters the alternate screen, hides the cursor, and switches off line wrapping.
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}?7l`
const LEAVE = `${ESC}0m${ESC}?7h${ESC}?25h${ESC}?1049l`
/**
 * Terminals that support synchronized output show all changes between these two sequences at the same time. Other
 * terminals ignore the sequences.
 */
const BEGIN = `${ESC}?2026h`
const END = `${ESC}?2026l`

export type Terminal = NodeJS.WriteStream & { fd: number }

export class Screen {
  readonly #out: Terminal
  #shown: readonly string[] = []
  #isOpen = false

  constructor(out: Terminal) {
    this.#out = out
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  enter(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    // This listener restores the terminal at every exit of the process, except after SIGKILL.
    process.on('exit', this.#leave)
    this.#out.write(ENTER)
    this.clear()
  }

  /** Forgets the rows on the screen, so that the next frame is drawn completely. */
  clear(): void {
    this.#shown = []
    if (this.#isOpen) this.#out.write(`${ESC}2J`)
  }

  /** @param rows - the rows of a frame, with colour sequences */
  draw(rows: readonly string[]): void {
    if (!this.#isOpen) return
    let changes = ''
    for (const [index, row] of rows.entries()) {
      if (row !== this.#shown[index]) changes += `${ESC}${index + 1};1H${ESC}2K${row}${ESC}0m`
    }
    this.#shown = rows
    if (changes !== '') this.#out.write(`${BEGIN}${changes}${END}`)
  }

  /** Restores the terminal. */
  leave(): void {
    process.off('exit', this.#leave)
    this.#leave()
  }

  readonly #leave = (): void => {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      // The write is synchronous, because the process may be exiting.
      writeSync(this.#out.fd, LEAVE)
    } catch {
      // Ignores the error: the terminal is closed, so there is nothing to restore.
    }
  }
}
