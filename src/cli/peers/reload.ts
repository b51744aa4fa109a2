import type { Peer } from '../../api/types.ts'
import type { AllowRule } from '../../network/guard/admission.ts'
import { count } from '../../views/words.ts'
import { describeError } from '../describe-error.ts'
import type { KeySource } from '../keys/key.ts'
import { readAllowFile } from '../options/allow-file.ts'
import { say } from '../terminal/output.ts'

/** The keys and the allow list that were read last. */
export interface ReadAccess {
  keys: readonly string[]
  rules: readonly AllowRule[] | undefined
}

export interface AccessFiles {
  keys: KeySource | undefined
  allow: string | undefined
}

/**
 * Returns a function that rereads the keys and the allow list and prints the outcome. Returns undefined if there is no
 * file to read. If one file is invalid, nothing changes. The function never rejects.
 */
export function reloading(peer: Peer, files: AccessFiles, now: ReadAccess): (() => Promise<void>) | undefined {
  if (files.keys === undefined && files.allow === undefined) return undefined
  let before = now
  return async () => {
    try {
      const keys = (await files.keys?.read()) ?? before.keys
      const rules = files.allow === undefined ? before.rules : await readAllowFile(files.allow)
      const news = [
        ...(same(keys, before.keys)
          ? []
          : [`${count(keys.length, 'key')} in ${files.keys?.file}, dials with the first`]),
        ...(same(rules, before.rules) ? [] : [`${count(rules?.length ?? 0, 'rule')} in ${files.allow}`])
      ]
      if (news.length === 0) return say(`SIGHUP: nothing has changed in ${named(files)}`)
      peer.setAccess({ ...(files.keys !== undefined && { key: keys }), ...(rules !== undefined && { allow: rules }) })
      before = { keys, rules }
      say(`SIGHUP: ${news.join('; ')}`)
      warnIfUnlisted(peer, rules)
    } catch (error) {
      say(`SIGHUP: everything stays as it was: ${describeError(error)}`)
    }
  }
}

/**
 * Warns when the allow list of this peer does not contain the peer itself. Then the allow lists of the other peers most
 * likely do not contain this peer either.
 */
export function warnIfUnlisted(peer: Peer, rules: readonly AllowRule[] | undefined): void {
  const rule = rules?.find(({ peer: id }) => id === peer.id) ?? rules?.find(({ peer: id }) => id === '*')
  if (rules === undefined || rule?.may.includes('join') === true) return
  say(
    `warning: the allow list does not let this peer itself, ${peer.id}, join: peers with the same list refuse it. Add that PeerId; --data-dir keeps it over a restart`
  )
}

function named({ keys, allow }: AccessFiles): string {
  return [keys?.file, allow].filter(file => file !== undefined).join(' and ')
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
