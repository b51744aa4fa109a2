/** Compares what a document shows of a command's output with what the command printed. */

/** Figures, with the unit of a time. */
const FIGURES: [RegExp, string] = [
  /\d+(?:[.,:]\d+)*(?:e[-+]?\d+)?(?: ?(?:ms|s|min|h)\b)?/,
  '-?\\d[\\d.,:]*(?:e[-+]?\\d+)?(?: ?(?:ms|s|min|h)\\b)?'
]
/** Each stands for whatever else the command prints in its place, for it differs from run to run. */
const WILDCARDS: [RegExp, string][] = [
  // What the document leaves out.
  [/…/, '.*'],
  // PeerIds, their last eight characters, and ids of jobs.
  [/12D3KooW\w+/, '12D3KooW\\w+'],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/, '[0-9a-f-]{36}'],
  [/\b(?=\w*[A-Z0-9])(?=\w*[a-z])(?=\w*[A-Z]|\w*\d)\w{8}\b/, '\\w{8}'],
  FIGURES,
  [/[█▏▎▍▌▋▊▉░]+/, '[█▏▎▍▌▋▊▉░]+'],
  [/\s+/, '\\s+']
]

/** What a printed line must look like to be this one; `exact`: figures as well. */
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

/** The lines of a document's block that were not printed; empty where it shows what is. */
export function notPrinted(shown: string, printed: string, exact = false): string[] {
  const lines = withoutEscapes(printed)
    .split(/[\n\r]/)
    .map(line => line.trim())
  return shown
    .split('\n')
    .filter(line => line.trim() !== '')
    .filter(line => !lines.some(each => patternOf(line, exact).test(each)))
}

/** Without what only colours and moves a cursor. */
export function withoutEscapes(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
  return text.replaceAll(/\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007]*\u0007|[()].|[=>78])/g, '')
}

/**
 * What of a document's JSON differs in kind from what was printed: names of properties, types, true and false, and texts but for ids; `exact`: figures as
 * well.
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
