/**
 * Parses the file of `--allow FILE`. Each line has a PeerId, or `*` for all other peers, followed by the rights. `#`
 * starts a comment.
 */
import { readFile } from 'node:fs/promises'
import { InvalidOptionError } from '../../common/errors.ts'
import { type AllowRule, EVERYBODY, RIGHTS, type Right } from '../../network/guard/admission.ts'
import { isPeerId } from '../../network/signature.ts'

/** The number of characters of an invalid word that an error shows. */
const MOST_SHOWN = 80
/** The word for "no rights". A line with this word contains no other right. */
const NONE = 'none'

/** @throws InvalidOptionError with the number of the invalid line */
export function parseAllow(text: string, file: string): AllowRule[] {
  const lines = new Map<string, number>()
  const rules: AllowRule[] = []
  for (const [at, line] of text.split('\n').entries()) {
    const wrong = (what: string): InvalidOptionError =>
      new InvalidOptionError(`option '--allow': ${file}:${at + 1}: ${what}`)
    const [peer, ...words] = line
      .replace(/#.*/, '')
      .split(/[\s,]+/)
      .filter(word => word !== '')
    if (peer === undefined) continue
    if (peer !== EVERYBODY && !isPeerId(peer)) {
      throw wrong(`${shown(peer)} is no PeerId (\`p2p-worker id\` prints one), nor ${EVERYBODY} for everybody else`)
    }
    const before = lines.get(peer)
    if (before !== undefined) throw wrong(`${peer} is in line ${before} already`)
    lines.set(peer, at + 1)
    // The rule `none` excludes a peer from the rights that `*` grants.
    if (words.length === 1 && words[0] === NONE) {
      rules.push({ peer, may: [] })
      continue
    }
    const unknown = words.find(word => !isRight(word))
    if (unknown !== undefined) {
      throw wrong(
        `${shown(unknown)} is no right: behind a PeerId comes ${RIGHTS.join(', ')}, ${NONE}, or nothing for both`
      )
    }
    rules.push({ peer, may: words.length === 0 ? RIGHTS : [...new Set(words.filter(isRight))] })
  }
  // An empty file is an error, because it is most likely half written or truncated.
  if (rules.length === 0)
    throw new InvalidOptionError(`option '--allow': ${file} lists no PeerId, so no peer could connect`)
  return rules
}

/** @throws InvalidOptionError */
export async function readAllowFile(file: string): Promise<AllowRule[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (cause) {
    throw new InvalidOptionError(`option '--allow': ${(cause as Error).message}`, { cause })
  }
  return parseAllow(text, file)
}

function isRight(word: string): word is Right {
  return RIGHTS.some(right => right === word)
}

function shown(word: string): string {
  return JSON.stringify(word.slice(0, MOST_SHOWN))
}
