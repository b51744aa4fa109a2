/** The lines of the screen of `top`: pieces of text, each in a tone. Only row.tsx knows the colours of the tones. */
import type { Tone } from '../../views/states.ts'
import { cut, textWidth } from '../terminal/text-width.ts'

/** The tone of a piece of the screen. */
export type PieceTone = Tone | 'strong' | 'title'

export interface Piece {
  text: string
  tone: PieceTone
}

export interface Line {
  pieces: readonly Piece[]
  /** Whether the line is drawn as the selected row. */
  selected?: boolean
}

/** One entry of the log. */
export interface LogEntry {
  /** The time of the entry, in ms since the epoch. */
  at: number
  text: string
  tone: Tone
}

export const piece = (text: string, tone: PieceTone = 'plain'): Piece => ({ text, tone })

/**
 * Makes a line of exactly `cells` cells. Neighbouring pieces of the same tone become one piece, because Ink needs time
 * for each piece in every frame.
 */
export function lineOf(pieces: readonly Piece[], cells: number): Line {
  const kept: Piece[] = []
  let left = cells
  for (const { text, tone } of [...pieces, piece(' '.repeat(cells))]) {
    if (left <= 0) break
    const shown = text.trim() === '' ? text.slice(0, left) : cut(text, left)
    if (shown === '') continue
    left -= textWidth(shown)
    const last = kept.at(-1)
    // Most tones are invisible on spaces, so spaces become a part of the previous piece.
    const joins =
      last?.tone === tone || (last !== undefined && shown.trim() === '' && tone === 'plain' && last.tone !== 'title')
    if (joins) kept[kept.length - 1] = { text: last.text + shown, tone: last.tone }
    else kept.push({ text: shown, tone })
  }
  return { pieces: kept }
}

/** Makes a line of parts, the most important part first. A part that does not fit is left out as a whole. */
export function lineOfParts(parts: readonly (readonly Piece[])[], cells: number): Line {
  const kept: Piece[] = []
  let left = cells
  for (const part of parts) {
    const gap = kept.length === 0 ? 0 : 2
    const needed = gap + part.reduce((sum, { text }) => sum + textWidth(text), 0)
    // The first part is cut, not left out.
    if (needed > left && kept.length > 0) continue
    if (gap > 0) kept.push(piece('  '))
    kept.push(...part)
    left -= needed
  }
  return lineOf(kept, cells)
}

/** Cuts the lines to `count`, or adds empty lines up to `count`. */
export function fillLines(lines: readonly Line[], count: number, cells: number): Line[] {
  const missing = Math.max(0, count - lines.length)
  return [...lines.slice(0, count), ...Array.from({ length: missing }, () => lineOf([], cells))]
}

/** Returns the text of a line. */
export function textOf({ pieces }: Line): string {
  return pieces.map(({ text }) => text).join('')
}
