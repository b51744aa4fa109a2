import type { Peer } from '../../api/types.ts'
import type { AllowRule } from '../../network/guard/admission.ts'
import { count } from '../../views/words.ts'
import { describeError } from '../describe-error.ts'
import type { KeySource } from '../keys/key.ts'
import { readAllowFile } from '../options/allow-file.ts'
import { say } from '../terminal/output.ts'

/** Who is let in, as it was last read. */
export interface ReadAccess {
  keys: readonly string[]
  rules: readonly AllowRule[] | undefined
}

export interface AccessFiles {
  keys: KeySource | undefined
  allow: string | undefined
}

/**
 * Reads again who is let in, and says what has come of it; undefined where there is no file to read. What is wrong in one file leaves
 * everything as it was. Never rejects.
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

/** A peer that is not on its own list is most likely on nobody's. */
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
