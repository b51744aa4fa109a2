/** Text in an exact number of a terminal's cells: `top` fills rows, and must never run over their end. */
import { stripVTControlCharacters } from 'node:util'
import { cut, textWidth } from '../text-width.ts'

/** Text in exactly so many cells. */
export function fill(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, cells)
  const padding = ' '.repeat(Math.max(0, cells - textWidth(shown)))
  return align === 'right' ? padding + shown : shown + padding
}

/**
 * Text of another process as one line of plain characters: without colours, line ends, and the invisible ones that join characters or turn
 * their direction, of which terminals make different things; nor marks that would be drawn onto what stands before the text.
 */
export function oneLine(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/\s+/g, ' ')
    .replace(/\p{C}|\p{Emoji_Modifier}|[\ufe00-\ufe0f]/gu, '')
    .replace(/(^|\s)\p{M}+/gu, '$1')
}
