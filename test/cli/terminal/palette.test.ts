import { describe, expect, it } from 'vitest'
import { palette, toned } from '../../../src/cli/terminal/palette.ts'
import { MEMBER_TONES } from '../../../src/views/states.ts'
import { contrastOf, distance, EYES, seen } from '../../colour-vision.ts'

function contrast(hex: string, background: 0 | 1): number {
  return contrastOf(hex, background === 0 ? '#000000' : '#ffffff')
}

const tones = Object.values(palette)
const pairs = tones.flatMap((a, at) => tones.slice(at + 1).map(b => [a, b] as const))

describe('the palette', () => {
  it.each(Object.entries(EYES))('the palette has no two colours that look alike: %s', (_, eyes) => {
    for (const [a, b] of pairs) {
      expect(distance(a.hex, b.hex, eyes), `${a.hex} ${b.hex}`).toBeGreaterThan(20)
    }
  })

  it('the check of the palette rejects red beside green', () => {
    const [red, green] = ['#cd0000', '#00cd00'].map(hex => seen(hex, EYES.deuteranopia!)) as [number[], number[]]
    const [dark, yellow] = ['#cd0000', '#787800'].map(hex => seen(hex, EYES.deuteranopia!)) as [number[], number[]]
    const hue = (lab: number[]): number => Math.atan2(lab[2]!, lab[1]!)
    // These two colours differ only in brightness.
    expect(Math.abs(hue(red) - hue(green))).toBeLessThan(0.3)
    expect(Math.hypot(...dark.map((part, at) => part - yellow[at]!))).toBeLessThan(20)
  })

  it('all colours of the palette contrast with black, and all colours except `caution` contrast with white', () => {
    for (const { hex } of tones) expect(contrast(hex, 0), hex).toBeGreaterThan(4.5)
    for (const { hex } of tones) if (hex !== palette.caution.hex) expect(contrast(hex, 1), hex).toBeGreaterThan(3)
  })

  it('the hex values in the palette are the colours that terminals show for the colour numbers in the palette', () => {
    const steps = [0, 95, 135, 175, 215, 255]
    const of = (n: number): number[] =>
      n >= 232
        ? [8 + 10 * (n - 232), 8 + 10 * (n - 232), 8 + 10 * (n - 232)]
        : [Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(step => steps[step]!)
    for (const { of256, hex } of tones) {
      expect(
        `#${of(of256)
          .map(part => part.toString(16).padStart(2, '0'))
          .join('')}`
      ).toBe(hex)
    }
  })

  it('toned() uses the colours that a terminal supports, and returns plain text for a terminal without colours', () => {
    expect(toned('good', 'x', 8)).toBe('\u001b[38;5;32mx\u001b[39m')
    expect(toned('bad', 'x', 4)).toBe('\u001b[1;31mx\u001b[22;39m')
    expect(toned('bad', 'x', 1)).toBe('x')
  })

  it('the palette has a separate tone for each state', () => {
    expect(new Set(Object.values(MEMBER_TONES)).size).toBe(4)
  })
})
