/**
 * The terminal while `top` has it: the alternate screen, so that what stood there before is there again afterwards, and on it only the rows
 * that have changed.
 *
 * Ink could write to the terminal itself. But where a picture fills the screen it clears all for each one, and with that the
 * terminal's scrollback; so it draws into {@link file://./view.tsx}, and what it drew is compared here row by row.
 */
import { writeSync } from 'node:fs'

const ESC = '\u001b['
// Alternate screen, no cursor, no wrapping at the end of a row.
const ENTER = `${ESC}?1049h${ESC}?25l${ESC}?7l`
const LEAVE = `${ESC}0m${ESC}?7h${ESC}?25h${ESC}?1049l`
/** Terminals that know these show all that is between them at once; the others ignore them. */
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
    // However the process ends, but by SIGKILL.
    process.on('exit', this.#leave)
    this.#out.write(ENTER)
    this.clear()
  }

  /** Forgets what is shown: the next picture is drawn whole. */
  clear(): void {
    this.#shown = []
    if (this.#isOpen) this.#out.write(`${ESC}2J`)
  }

  /** @param rows - with their colours */
  draw(rows: readonly string[]): void {
    if (!this.#isOpen) return
    let changes = ''
    for (const [index, row] of rows.entries()) {
      if (row !== this.#shown[index]) changes += `${ESC}${index + 1};1H${ESC}2K${row}${ESC}0m`
    }
    this.#shown = rows
    if (changes !== '') this.#out.write(`${BEGIN}${changes}${END}`)
  }

  /** Gives the terminal back, as it was. */
  leave(): void {
    process.off('exit', this.#leave)
    this.#leave()
  }

  readonly #leave = (): void => {
    if (!this.#isOpen) return
    this.#isOpen = false
    try {
      // At once: the process may be ending.
      writeSync(this.#out.fd, LEAVE)
    } catch {
      // The terminal is gone.
    }
  }
}
