// The tests of this folder share these random cases, which are the same each time. CASES sets their number; 500 unless set.

/** Numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function randomFrom(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Calls `check` with a source of random numbers, once for each case. A failure names its case, so that it can be repeated. */
export function forManyCases(check) {
  const cases = Number(process.env.CASES ?? 500)
  for (let seed = 1; seed <= cases; seed++) {
    try {
      check(randomFrom(seed))
    } catch (cause) {
      throw new Error(`case ${seed}: ${cause.message}`, { cause })
    }
  }
}

/** Makes `length` random bytes. */
export function bytesFrom(random, length) {
  return Uint8Array.from({ length }, () => Math.floor(256 * random()))
}

/** Makes a random text of characters of one to four bytes. */
export function textFrom(random, length) {
  const characters = ['a', 'Z', '7', ' ', '"', '\\', '\n', 'é', 'ß', '東', '€', '😀']
  return Array.from({ length }, () => characters[Math.floor(characters.length * random())]).join('')
}
