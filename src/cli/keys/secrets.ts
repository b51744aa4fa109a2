/** Hides keys and tokens in errors, in the environment and in the arguments of this process. */
import type { Command } from 'commander'
import { SECRET_VARIABLES, withoutCredentials } from '../../common/secrets.ts'
import { TOKEN_FORM } from './token.ts'

/** The form of a key, as keygen prints the key, as a separate word. PeerIds and hashes are longer than a key. */
const KEY_FORM = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?:\.[0-9a-f]{16})?(?![A-Za-z0-9_-])/g
const HIDDEN = '***'
/** The options that take a secret. */
const OPTIONS = ['--key', '--token']

/** Replaces all text in the form of a key or a token. Messages may repeat the input of the user. */
export function withoutSecrets(text: string): string {
  return text.replace(TOKEN_FORM, HIDDEN).replace(KEY_FORM, HIDDEN)
}

/**
 * A long word, which may be a part of a key. This pattern excludes words in paths, and KNOWN_WORD excludes PeerIds and
 * job ids.
 */
const LONG_WORD = /(?<![A-Za-z0-9_/\\-])[A-Za-z0-9_-]{32,}(?![A-Za-z0-9_/\\-])/g
const KNOWN_WORD = /^(?:(?:12D3KooW|16Uiu2HA|Qm)[1-9A-HJ-NP-Za-km-z]+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/

/**
 * Also replaces long words. A message may repeat mistyped input, in which a key may be incomplete or attached to other
 * text.
 */
export function withoutLongWords(text: string): string {
  return withoutSecrets(text).replace(LONG_WORD, word => (KNOWN_WORD.test(word) ? word : HIDDEN))
}

/**
 * Removes the secrets from the environment, which child processes inherit, and from the arguments, which `ps` shows to
 * other users of the machine. Call this function after all options are parsed. Before the call, `ps` shows the secrets
 * for some tenths of a second. npx or a shell script continues to show its own arguments.
 */
export function forgetSecrets(command: Command): void {
  for (const name of SECRET_VARIABLES) delete process.env[name]
  const [node = '', main = '', ...words] = process.argv
  // `join` is the only command with a secret as its positional argument.
  const hidden = hideWords(words, command.name() === 'join' ? command.args : [])
  if (hidden.every((word, at) => word === words[at])) return
  process.argv.splice(2, words.length, ...hidden)
  // The title overwrites the arguments that the kernel shows. The title is never longer than these arguments.
  process.title = [node, main, ...hidden].join(' ')
}

/** Replaces the values of all secret options, the given secrets, and everything that looks like a secret. */
export function hideWords(words: readonly string[], secrets: readonly string[] = []): string[] {
  return words.map((word, at) => {
    const option = OPTIONS.find(name => word.startsWith(`${name}=`))
    if (option !== undefined) return `${option}=${HIDDEN}`
    if (OPTIONS.includes(words[at - 1] ?? '') || secrets.includes(word)) return HIDDEN
    return withoutSecrets(/^(?:--election=)?(?:etcd|postgres):/.test(word) ? withoutCredentials(word) : word)
  })
}
