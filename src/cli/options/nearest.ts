/** The word that somebody probably meant. */

/** How many letters may be wrong, and which share of them. */
const MOST_WRONG = 3
const MOST_WRONG_SHARE = 0.5

/** How many letters were left out, added, replaced or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let [before, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(replaced, swapped, last[j]! + 1, row[j - 1]! + 1))
    }
    before = last
    last = row
  }
  return last[b.length]!
}

/** The candidates that a word is nearest to; none where it is near to none. A beginning of one is near. */
export function nearest(word: string, candidates: readonly string[]): string[] {
  const wrong = (candidate: string): number => {
    if (word.length > 1 && candidate.startsWith(word)) return 0.5
    const letters = distance(word.toLowerCase(), candidate)
    return letters > MOST_WRONG || letters > MOST_WRONG_SHARE * Math.max(word.length, candidate.length)
      ? Number.POSITIVE_INFINITY
      : letters
  }
  const least = Math.min(...candidates.map(wrong))
  return Number.isFinite(least) ? candidates.filter(candidate => wrong(candidate) === least) : []
}

/** ` Did you mean worker?`, to be put behind a message; empty where no candidate is near. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates)
  if (found.length === 0) return ''
  return ` Did you mean ${found.length === 1 ? '' : 'one of '}${found.join(', ')}?`
}
