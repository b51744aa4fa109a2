import type { Tone } from '../../views/states.ts'

/**
 * The colours of the command line. People with a common form of colour blindness can tell these colours apart. A word
 * or sign beside each colour has the same meaning, so no information is lost without colours.
 *
 * The main contrast is blue and orange instead of green and red. The 16 colours of old terminals depend on the theme.
 * In a palette of 256, the colours from 16 on are the same everywhere, so the command line prefers them.
 * test/cli/terminal/palette.test.ts measures the distances between the colours for readers who lack one kind of cones
 * (Machado, Oliveira and Fernandes 2009), and the contrast of the colours with black and white.
 */
export const palette = {
  /** For a good state: alive, verified, fine. */
  good: { of256: 32, of16: 36, hex: '#0087d7' },
  /** For a state to watch: suspect, a warning, waiting. */
  caution: { of256: 214, of16: 33, hex: '#ffaf00' },
  /** For a fault: dead, an error. In 16 colours the text is bold, because the red of these colours is dark. */
  bad: { of256: 196, of16: 31, hex: '#ff0000' },
  /** For an ended state: left. */
  gone: { of256: 244, of16: 90, hex: '#808080' }
} as const satisfies Record<Exclude<Tone, 'plain'>, object>

/** A tone that has a colour. */
export type ColouredTone = Exclude<Tone, 'plain'>

/** @param depth - bits of colour, as `WriteStream.getColorDepth()` returns */
export function toned(tone: ColouredTone, text: string, depth: number): string {
  const { of256, of16 } = palette[tone]
  if (depth >= 8) return `\u001b[38;5;${of256}m${text}\u001b[39m`
  if (depth < 4) return text
  return tone === 'bad' ? `\u001b[1;${of16}m${text}\u001b[22;39m` : `\u001b[${of16}m${text}\u001b[39m`
}
