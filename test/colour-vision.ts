/** Simulates how colours look to people who lack one kind of cones. */

export type Triple = readonly [number, number, number]

/** Matrices on linear RGB that simulate the lack of one kind of cones (Machado, Oliveira and Fernandes 2009, severity 1). */
export const EYES: Record<string, readonly [Triple, Triple, Triple]> = {
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

export function linear(hex: string): number[] {
  return [1, 3, 5].map(at => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
}

/** Converts a colour to CIELAB. In CIELAB, equal distances look about equally different, and a distance of 2.3 is just noticeable. */
export function seen(hex: string, eyes: readonly Triple[]): number[] {
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

/** Returns the distance of two colours in CIELAB. */
export function distance(one: string, other: string, eyes: readonly Triple[]): number {
  const [a, b] = [seen(one, eyes), seen(other, eyes)]
  return Math.hypot(...a.map((part, at) => part - b[at]!))
}

/** Returns the contrast between a text colour and its background, from 1 to 21 (WCAG 2). */
export function contrastOf(one: string, other: string): number {
  const [a, b] = [one, other].map(hex => {
    const [r, g, b] = linear(hex) as [number, number, number]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }) as [number, number]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
