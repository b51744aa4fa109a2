// The tests of this folder share these random cases, which are the same in each run. CASES sets the number of cases. Default: 500.

/** Returns a generator of numbers in [0, 1). The same seed gives the same numbers (mulberry32). */
export function randomFrom(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Calls `check` for each case with a generator of random numbers. A failure names its case, so that a developer can repeat the case. */
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
