import { describe, expect, it } from 'vitest'
import { palette, STATE_TONES, toned } from '../../src/cli/palette.ts'

type Triple = readonly [number, number, number]

/** What is seen without one kind of cones: Machado, Oliveira and Fernandes 2009, severity 1, on linear RGB. */
const EYES: Record<string, readonly [Triple, Triple, Triple]> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1]
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881]
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039]
  ]
}

function linear(hex: string): number[] {
  return [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
}

/** In CIELAB, where equal distances look about equally far apart; 2.3 is just noticeable. */
function seen(hex: string, eyes: readonly Triple[]): number[] {
  const [r, g, b] = linear(hex) as [number, number, number]
  const [red, green, blue] = eyes.map(row => Math.min(1, Math.max(0, row[0] * r + row[1] * g + row[2] * b))) as [
    number,
    number,
    number
  ]
  const [x, y, z] = [
    (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505,
    0.2126 * red + 0.7152 * green + 0.0722 * blue,
    (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
  ].map(part => (part > 0.008856 ? Math.cbrt(part) : 7.787 * part + 16 / 116)) as [number, number, number]
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

function contrast(hex: string, background: 0 | 1): number {
  const [r, g, b] = linear(hex) as [number, number, number]
  const luminance = 0.2126 * r + 0.7152 * g + 0.0722 * b
  return background === 0 ? (luminance + 0.05) / 0.05 : 1.05 / (luminance + 0.05)
}

const tones = Object.values(palette)
const pairs = tones.flatMap((a, at) => tones.slice(at + 1).map(b => [a, b] as const))

describe('the palette', () => {
  it.each(Object.entries(EYES))('has no two colours that look alike: %s', (_, eyes) => {
    for (const [a, b] of pairs) {
      const [one, other] = [seen(a.hex, eyes), seen(b.hex, eyes)]
      expect(Math.hypot(...one.map((part, at) => part - other[at]!)), `${a.hex} ${b.hex}`).toBeGreaterThan(20)
    }
  })

  it('would not pass with red and green', () => {
    const [red, green] = ['#cd0000', '#00cd00'].map(hex => seen(hex, EYES.deuteranopia!)) as [number[], number[]]
    const [dark, yellow] = ['#cd0000', '#787800'].map(hex => seen(hex, EYES.deuteranopia!)) as [number[], number[]]
    const hue = (lab: number[]): number => Math.atan2(lab[2]!, lab[1]!)
    // Only how bright they are tells them apart.
    expect(Math.abs(hue(red) - hue(green))).toBeLessThan(0.3)
    expect(Math.hypot(...dark.map((part, at) => part - yellow[at]!))).toBeLessThan(20)
  })

  it('stands out from a black background, and all but the caution from a white one', () => {
    for (const { hex } of tones) expect(contrast(hex, 0), hex).toBeGreaterThan(4.5)
    for (const { hex } of tones) if (hex !== palette.caution.hex) expect(contrast(hex, 1), hex).toBeGreaterThan(3)
  })

  it('has the hex values of the colours that terminals show for its numbers', () => {
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

  it('paints what a terminal understands, and nothing where it has no colours', () => {
    expect(toned('good', 'x', 8)).toBe('\u001b[38;5;32mx\u001b[39m')
    expect(toned('bad', 'x', 4)).toBe('\u001b[1;31mx\u001b[22;39m')
    expect(toned('bad', 'x', 1)).toBe('x')
  })

  it('has a tone for each state, and no two share one', () => {
    expect(new Set(Object.values(STATE_TONES)).size).toBe(4)
  })
})
