/** Warns about members with another major version of Node, because V8 determines the last digits of functions such as `Math.sin`. */
import type { Logger } from '../common/logger.ts'
import { isLive } from './core/member.ts'
import type { Membership } from './types.ts'

/** The limit of warnings: a member can claim any version. */
const MOST_WARNINGS = 8

/** The major version of Node, within which the version of V8 stays the same. Empty if unknown. */
export function nodeMajor(node: string): string {
  return node.slice(0, Math.max(0, node.indexOf('.')))
}

/** Logs one line for each major version of Node that a live member has and this peer does not. */
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
