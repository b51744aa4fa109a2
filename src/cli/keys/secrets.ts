/** Where a key or a token that was given to this process could be seen by others, and is not. */
import type { Command } from 'commander'
import { SECRET_VARIABLES } from '../../common/clean-environment.ts'
import { TOKEN_FORM } from './token.ts'

/** As keygen prints it, and by itself: a PeerId or a hash is longer. */
const KEY_FORM = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?:\.[0-9a-f]{16})?(?![A-Za-z0-9_-])/g
const HIDDEN = '***'
/** The options that take a secret. */
const OPTIONS = ['--key', '--token']

/** Text without anything that has the form of a key or a token: for messages that may repeat what was typed. */
export function withoutSecrets(text: string): string {
  return text.replace(TOKEN_FORM, HIDDEN).replace(KEY_FORM, HIDDEN)
}

/** A part of a key is not to be seen either. What stands in a path is none, and neither is a PeerId or the id of a job. */
const LONG_WORD = /(?<![A-Za-z0-9_/\\-])[A-Za-z0-9_-]{32,}(?![A-Za-z0-9_/\\-])/g
const KNOWN_WORD = /^(?:(?:12D3KooW|16Uiu2HA|Qm)[1-9A-HJ-NP-Za-km-z]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/** For messages that repeat what was mistyped, where a key may be incomplete, or stick to something else. */
export function withoutLongWords(text: string): string {
  return withoutSecrets(text).replace(LONG_WORD, word => (KNOWN_WORD.test(word) ? word : HIDDEN))
}

/**
 * Called when all options have been read: what inherits this process's environment gets no key, and `ps` shows none to the other users of the
 * machine. (Until then it has, for some tenths of a second; and npx, or a shell script, goes on showing its own arguments.)
 */
export function forgetSecrets(command: Command): void {
  for (const name of SECRET_VARIABLES) delete process.env[name]
  const [node = '', main = '', ...words] = process.argv
  // The only command whose argument is a secret.
  const hidden = hideWords(words, command.name() === 'join' ? command.args : [])
  if (hidden.every((word, at) => word === words[at])) return
  process.argv.splice(2, words.length, ...hidden)
  // Overwrites what the kernel shows, which is never longer than before.
  process.title = [node, main, ...hidden].join(' ')
}

/** All that an option for a secret was given, the last of which counts, and whatever looks like a secret. */
export function hideWords(words: readonly string[], secrets: readonly string[] = []): string[] {
  return words.map((word, at) => {
    const option = OPTIONS.find(name => word.startsWith(`${name}=`))
    if (option !== undefined) return `${option}=${HIDDEN}`
    if (OPTIONS.includes(words[at - 1] ?? '') || secrets.includes(word)) return HIDDEN
    return withoutSecrets(word)
  })
}
