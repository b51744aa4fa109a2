/** Members on another version of Node than others: JavaScript leaves the last digit of functions such as `Math.sin` to the engine. */
import type { Logger } from '../common/logger.ts'
import { isLive } from './core/member.ts'
import type { Membership } from './types.ts'

/** Lines at most: what a member says of itself costs it nothing. */
const MOST_LINES = 8

/** What is compared: within a major version, Node keeps its version of V8. Empty where it is unknown. */
export function nodeMajor(node: string): string {
  return node.slice(0, Math.max(0, node.indexOf('.')))
}

/** One line in the log for each major version of Node that live members run on and this peer does not. */
export function tellOtherNodes(membership: Pick<Membership, 'self' | 'addEventListener'>, logger: Logger): void {
  const own = membership.self.node
  const ownMajor = nodeMajor(own)
  const told = new Set<string>()
  membership.addEventListener('member', ({ detail: { member } }) => {
    const major = nodeMajor(member.node)
    if (major === '' || major === ownMajor || told.has(major)) return
    if (told.size === MOST_LINES || !isLive(member)) return
    told.add(major)
    logger.warn(
      { peerId: member.id, node: member.node },
      `a member runs Node ${member.node}, this peer Node ${own}: results may differ in their last digits; run one major version on all peers`
    )
  })
}
