import type { Tone } from '../../views/states.ts'

/**
 * The colours of the command line, which no common form of colour blindness makes alike. What a colour says also stands there as a word or
 * a sign, so nothing is lost without colours.
 *
 * Blue against orange instead of green against red. The sixteen colours of old terminals are whatever their theme says; of 256 those from 16 on are the
 * same everywhere, so these are used where there are so many. test/cli/terminal/palette.test.ts measures how far they are apart in the eyes of
 * those who lack one kind of cones (Machado, Oliveira and Fernandes 2009), and how they stand out from black and from white.
 */
export const palette = {
  /** Well: alive, verified, fine. */
  good: { of256: 32, of16: 36, hex: '#0087d7' },
  /** To be watched: suspect, a warning, waiting. */
  caution: { of256: 214, of16: 33, hex: '#ffaf00' },
  /** Wrong: dead, an error. In bold where there are sixteen, as red is dark there. */
  bad: { of256: 196, of16: 31, hex: '#ff0000' },
  /** Of no interest any more: left. */
  gone: { of256: 244, of16: 90, hex: '#808080' }
} as const satisfies Record<Exclude<Tone, 'plain'>, object>

/** A tone that has a colour. */
export type ColouredTone = Exclude<Tone, 'plain'>

/** @param depth - bits a colour, as `WriteStream.getColorDepth()` tells */
export function toned(tone: ColouredTone, text: string, depth: number): string {
  const { of256, of16 } = palette[tone]
  if (depth >= 8) return `\u001b[38;5;${of256}m${text}\u001b[39m`
  if (depth < 4) return text
  return tone === 'bad' ? `\u001b[1;${of16}m${text}\u001b[22;39m` : `\u001b[${of16}m${text}\u001b[39m`
}
