/**
 * Measures and cuts text by the columns that it takes on a terminal. Colour sequences take no column, and a CJK
 * character or emoji takes two columns.
 */
import { stripVTControlCharacters } from 'node:util'

const COLOUR = /(\p{Cc}\[[\d;]*m)/u
const PLAIN = /^[\u0020-\u007e]*$/
/** East Asian wide and full-width characters (Unicode TR 11), and emoji. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

function columnsOf(grapheme: string): number {
  if (WIDE.test(grapheme)) return 2
  return NO_WIDTH.test(grapheme) ? 0 : 1
}

/** Returns the number of columns that a line of text takes. */
export function textWidth(text: string): number {
  const shown = stripVTControlCharacters(text)
  if (PLAIN.test(shown)) return shown.length
  let columns = 0
  for (const { segment } of graphemes.segment(shown)) columns += columnsOf(segment)
  return columns
}

/** Cuts text to `columns` columns, and marks a cut with an ellipsis. A colour ends with the text. */
export function cut(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  if (columns < 1) return ''
  let room = columns - 1
  let out = ''
  let coloured = false
  for (const piece of text.split(COLOUR)) {
    if (COLOUR.test(piece)) {
      out += piece
      coloured = true
      continue
    }
    for (const { segment } of graphemes.segment(piece)) {
      room -= columnsOf(segment)
      if (room < 0) return `${out}…${coloured ? '\u001b[0m' : ''}`
      out += segment
    }
  }
  return out
}

/** Cuts or pads text to exactly `columns` columns of a terminal. */
export function fill(text: string, columns: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, columns)
  const padding = ' '.repeat(Math.max(0, columns - textWidth(shown)))
  return align === 'right' ? padding + shown : shown + padding
}

/**
 * Turns text of another process into one line of plain characters. It removes colours and line ends. It removes
 * invisible characters that join other characters or change their direction, because terminals treat these differently.
 * It removes marks that would combine with the text before them.
 */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, ' ')
    .replace(/\p{C}|\p{Emoji_Modifier}|[\ufe00-\ufe0f]/gu, '')
    .replace(/(^|\s)\p{M}+/gu, '$1')
}
