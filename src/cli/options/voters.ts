import { readFileSync } from 'node:fs'
import { InvalidOptionError } from '../../common/errors.ts'
import { list } from './options.ts'

/**
 * Parses `--voters`: PeerIds that are separated by commas, or a file with one PeerId a line. The file may have empty
 * lines, and comments after `#`.
 */
export function voters(text: string): string[] {
  // A PeerId is base58 text with a fixed prefix. No realistic path of a file has this prefix.
  if (/^[\s,]*(12D3KooW[1-9A-HJ-NP-Za-km-z]{44}[\s,]*)+$/.test(text)) return list(text)
  if (text.startsWith('12D3KooW')) {
    throw new InvalidOptionError(
      `Of these PeerIds, separated by commas, at least one is mistyped: each has 52 characters (\`p2p-worker id\` prints one).`
    )
  }
  let content: string
  try {
    content = readFileSync(text, 'utf8')
  } catch (cause) {
    throw new InvalidOptionError(
      `It must be PeerIds separated by commas, or a file with one a line: ${(cause as Error).message}.`,
      { cause }
    )
  }
  const ids = content.split('\n').map(line => line.replace(/#.*/, '').trim())
  return ids.filter(id => id !== '')
}
