/** Warns about members with another major version of Node: the last digits of functions such as `Math.sin` depend on the version of V8. */
import type { Logger } from '../common/logger.ts'
import { isLive } from './core/member.ts'
import type { Membership } from './types.ts'

/** The limit of warnings. Without the limit, a member could fill the log, because a member can announce any version. */
const MOST_WARNINGS = 8

/** Returns the major version of Node. All releases of one major version have the same version of V8. Returns '' if the version is unknown. */
export function nodeMajor(node: string): string {
  return node.slice(0, Math.max(0, node.indexOf('.')))
}

/** Logs one line for each major version of Node that a live member runs and that differs from this peer's version. */
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
