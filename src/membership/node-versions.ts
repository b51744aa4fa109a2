/** Warns of members on another major version of Node: V8 decides on the last digits of functions such as `Math.sin`. */
import type { Logger } from '../common/logger.ts'
import { isLive } from './core/member.ts'
import type { Membership } from './types.ts'

/** Warnings at most: a member can claim any version. */
const MOST_WARNINGS = 8

/** The major version, within which Node keeps its version of V8. Empty where it is unknown. */
export function nodeMajor(node: string): string {
  return node.slice(0, Math.max(0, node.indexOf('.')))
}

/** Logs one line for each major version of Node that live members run on and this peer does not. */
export function warnOfNodeVersions(membership: Pick<Membership, 'self' | 'addEventListener'>, logger: Logger): void {
  const own = membership.self.node
  const seen = new Set([nodeMajor(own), ''])
  const most = seen.size + MOST_WARNINGS
  membership.addEventListener('member', ({ detail: { member } }) => {
    const major = nodeMajor(member.node)
    if (seen.has(major) || seen.size === most || !isLive(member)) return
    seen.add(major)
    logger.warn(
      { peerId: member.id, node: member.node },
      `a member runs Node ${member.node}, this peer Node ${own}: results may differ in their last digits; run one major version on all peers`
    )
  })
}
