/** Compares the output that a document shows with the output that the command printed. */

/** Patterns of numbers, with or without a unit of time. */
const FIGURES: [RegExp, string] = [
  /\d+(?:[.,:]\d+)*(?:e[-+]?\d+)?(?: ?(?:ms|s|min|h)\b)?/,
  '-?\\d[\\d.,:]*(?:e[-+]?\\d+)?(?: ?(?:ms|s|min|h)\\b)?'
]
/** Text that differs from run to run, and the pattern that matches it in the printed output. */
const WILDCARDS: [RegExp, string][] = [
  // The document replaces omitted text by this sign.
  [/…/, '.*'],
  // PeerIds, job ids, and the last eight characters of PeerIds.
  [/12D3KooW\w+/, '12D3KooW\\w+'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, '[0-9a-f-]{36}'],
  [/\b(?=\w*[A-Z0-9])(?=\w*[a-z])(?=\w*[A-Z]|\w*\d)\w{8}\b/, '\\w{8}'],
  FIGURES,
  [/[█▏▎▍▌▋▊▉░]+/, '[█▏▎▍▌▋▊▉░]+'],
  [/\s+/, '\\s+']
]

/** Returns the pattern that a printed line must match to count as the shown line `line`. With `exact`, the numbers must also be equal. */
export function patternOf(line: string, exact = false): RegExp {
  const wildcards = exact ? WILDCARDS.filter(each => each !== FIGURES) : WILDCARDS
  const any = new RegExp(wildcards.map(([from]) => `(${from.source})`).join('|'), 'g')
  let pattern = ''
  let end = 0
  for (const match of line.trim().matchAll(any)) {
    pattern += escaped(line.trim().slice(end, match.index))
    pattern += wildcards[match.slice(1).findIndex(group => group !== undefined)]?.[1] ?? ''
    end = match.index + match[0].length
  }
  return new RegExp(`^${pattern}${escaped(line.trim().slice(end))}$`)
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Returns the shown lines that the command did not print. */
export function notPrinted(shown: string, printed: string, exact = false): string[] {
  const lines = withoutEscapes(printed)
    .split(/[\n\r]/)
    .map(line => line.trim())
  return shown
    .split('\n')
    .filter(line => line.trim() !== '')
    .filter(line => !lines.some(each => patternOf(line, exact).test(each)))
}

/** Returns the text without the escape sequences that set colours and move the cursor. */
export function withoutEscapes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
  return text.replaceAll(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*\u0007|[()].|[=>78])/g, '')
}

/**
 * Returns the differences between shown and printed JSON in property names, types, booleans and strings (except ids). With `exact`, the numbers
 * must also be equal.
 */
export function differsFrom(shown: unknown, printed: unknown, exact = false, path = 'it'): string[] {
  if (Array.isArray(shown)) {
    if (!Array.isArray(printed)) return [`${path} is no array`]
    return shown.flatMap((each, i) =>
      printed.some(other => differsFrom(each, other, exact).length === 0)
        ? []
        : [`${path}[${i}] is like none that was printed`]
    )
  }
  if (typeof shown === 'object' && shown !== null) {
    if (typeof printed !== 'object' || printed === null) return [`${path} is no object`]
    const other = printed as Record<string, unknown>
    return Object.entries(shown).flatMap(([name, value]) =>
      name === '…'
        ? []
        : name in other
          ? differsFrom(value, other[name], exact, `${path}.${name}`)
          : [`${path} has no ${name}`]
    )
  }
  if (typeof shown === 'string' && typeof printed === 'string') {
    return patternOf(shown, exact).test(printed.trim()) ? [] : [`${path} is ${JSON.stringify(printed)}`]
  }
  const isSame = exact || typeof shown === 'boolean' ? shown === printed : typeof shown === typeof printed
  return isSame ? [] : [`${path} is ${JSON.stringify(printed)}`]
}
