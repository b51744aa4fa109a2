/**
 * The colours of the peers in the chunk map. Of the first eight no two look alike, also not to those who lack one kind of cones, nor to what waits
 * (test/http/dashboard/palette.test.ts measures it); further peers have them again, and the legend shows one peer at a time.
 */
export interface Palette {
  peers: readonly string[]
  /** Nobody has it. */
  waiting: string
  /** Done, and nobody knows any more by whom. */
  done: string
  /** Behind the cells. */
  ground: string
}

export const LIGHT: Palette = {
  peers: ['#0b76c9', '#d97706', '#5e4070', '#841c12', '#3221c4', '#a57c57', '#4a112b', '#1a004b'],
  waiting: '#dee2e8',
  done: '#78808a',
  ground: '#ffffff'
}

export const DARK: Palette = {
  peers: ['#4aa3f0', '#f5a524', '#6cf2af', '#8c3af3', '#c14a03', '#e9c1e9', '#916e4f', '#c0f080'],
  waiting: '#2e3640',
  done: '#78808a',
  ground: '#181d24'
}

/** How much of a peer's colour is left where a chunk is only there. */
const GIVEN = 0.42

/** Lighter, or on a dark page darker: what a peer has, and has not done yet. */
export function given(colour: string, ground: string): string {
  const [a, b] = [parts(colour), parts(ground)]
  return `#${a.map((part, at) => hex(part * GIVEN + b[at]! * (1 - GIVEN))).join('')}`
}

export function parts(colour: string): [red: number, green: number, blue: number] {
  const at = (index: number): number => Number.parseInt(colour.slice(index, index + 2), 16)
  return [at(1), at(3), at(5)]
}

function hex(part: number): string {
  return Math.round(part).toString(16).padStart(2, '0')
}

/** @param index - of the peer, in the table of the job */
export function peerColour(palette: Palette, index: number): string {
  return palette.peers[index % palette.peers.length]!
}
