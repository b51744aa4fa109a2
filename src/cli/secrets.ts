/** Where a key or a token that was given to this process could be seen by others, and is not. */
import type { Command } from 'commander'
import { SECRET_VARIABLES } from '../clean-environment.ts'
import { TOKEN_FORM } from './token.ts'

/** As keygen prints it, and by itself: a PeerId or a hash is longer. */
const KEY_FORM = /(?<![A-Za-z0-9_-])[A-Za-z0-9_-]{43}(?:\.[0-9a-f]{16})?(?![A-Za-z0-9_-])/g
const HIDDEN = '***'
/** The options that take a secret. */
const OPTIONS = ['key', 'token']

/** Text without anything that has the form of a key or a token: for messages that may repeat what was typed. */
export function withoutSecrets(text: string): string {
  return text.replace(TOKEN_FORM, HIDDEN).replace(KEY_FORM, HIDDEN)
}

/**
 * Called when all options have been read: what inherits this process's environment gets no key, and `ps` shows none to the other users of the
 * machine. (Until then it has, for some tenths of a second; and npx, or a shell script, goes on showing its own arguments.)
 */
export function forgetSecrets(command: Command): void {
  for (const name of SECRET_VARIABLES) delete process.env[name]
  const given = OPTIONS.filter(name => command.getOptionValueSource(name) === 'cli').map(name => command.opts()[name])
  // The only command whose argument is a secret.
  if (command.name() === 'join') given.push(...command.args)
  if (given.length === 0) return
  const [node = '', main = '', ...words] = process.argv
  const hidden = words.map(word => hide(word, given.map(String)))
  process.argv.splice(2, words.length, ...hidden)
  // Overwrites what the kernel shows, which is never longer than before.
  process.title = [node, main, ...hidden].join(' ')
}

function hide(word: string, secrets: readonly string[]): string {
  const [, option = '', value = word] = /^(--[a-z-]+=)(.*)$/s.exec(word) ?? []
  return secrets.includes(value.trim()) ? `${option}${HIDDEN}` : word
}
