/** Text in an exact number of a terminal's cells: `top` fills rows, and must never run over their end. */
import { cut, textWidth } from '../terminal/text-width.ts'

/** Text in exactly so many cells. */
export function fill(text: string, cells: number, align: 'left' | 'right' = 'left'): string {
  const shown = cut(text, cells)
  const padding = ' '.repeat(Math.max(0, cells - textWidth(shown)))
  return align === 'right' ? padding + shown : shown + padding
}
