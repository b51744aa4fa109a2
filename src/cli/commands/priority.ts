import type { ElectionPriority } from '../../api/types.ts'
import { InvalidOptionError } from '../../common/errors.ts'
import { isLive, type Member } from '../../membership/core/member.ts'
import type { ClientFlags } from '../options/flags.ts'
import { look } from '../peers/client.ts'
import { print } from '../terminal/output.ts'

export interface PriorityFlags extends ClientFlags {
  peer: string
}

export async function priority(priority: ElectionPriority, flags: PriorityFlags): Promise<number> {
  return await look(flags, async (client, { signal }) => {
    const id = wholePeerId(client.members(), flags.peer)
    const now = await client.setElectionPriority(id, priority, { signal })
    await print(`${id} has the priority ${now}${typeof priority === 'number' ? '' : ` (${priority})`}`)
  })
}

/**
 * Completes the end of a PeerId, as `status` shows it.
 *
 * @throws InvalidOptionError unless exactly one live member has this end
 */
export function wholePeerId(members: readonly Member[], given: string): string {
  const found = members.filter(member => isLive(member) && member.id.endsWith(given))
  const [member] = found
  if (member !== undefined && found.length === 1) return member.id
  const problem = member === undefined ? 'no live member' : `more than one live member, ${found.length},`
  throw new InvalidOptionError(
    `--peer: ${problem} has a PeerId that ends with ${given}: \`p2p-worker members\` lists them`
  )
}
