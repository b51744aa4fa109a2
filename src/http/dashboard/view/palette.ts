/**
 * The colours of the peers in the chunk map. Readers who lack one kind of cones can distinguish the first eight colours from each other
 * and from the colour of waiting chunks (measured in test/http/dashboard/palette.test.ts). Further peers reuse the eight colours. The
 * legend can show a single peer at a time.
 */
export interface Palette {
  peers: readonly string[]
  /** The colour of a waiting chunk. */
  waiting: string
  /** The colour of a chunk that an unknown peer has done. */
  done: string
  /** The colour behind the cells. */
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

/** The share of a peer's colour in the colour of an assigned chunk. */
const GIVEN = 0.42

/** Returns the colour of a chunk that is assigned but not done. The colour is lighter than `colour`, or darker on a dark page. */
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

/** @param index - the peer's index in the table of the job */
export function peerColour(palette: Palette, index: number): string {
  return palette.peers[index % palette.peers.length]!
}
