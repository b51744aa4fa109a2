/** Finds the word that the user probably meant. */

/** The largest number and the largest share of wrong letters in a word that is near another word. */
const MOST_WRONG = 3
const MOST_WRONG_SHARE = 0.5

/**
 * Returns the edit distance of two words: the number of letters that are missing, added, replaced, or swapped with the
 * next letter.
 */
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

/**
 * Returns the candidates that are nearest to a word, or no candidate if none is near. A candidate that starts with the
 * word is near.
 */
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

/**
 * Returns the suffix of an error message, such as ` Did you mean worker?`. Returns an empty text if no candidate is
 * near.
 */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const found = nearest(word, candidates)
  if (found.length === 0) return ''
  return ` Did you mean ${found.length === 1 ? '' : 'one of '}${found.join(', ')}?`
}
