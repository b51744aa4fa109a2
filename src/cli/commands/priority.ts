import type { ElectionPriority } from '../../api/types.ts'
import { InvalidOptionError } from '../../common/errors.ts'
import { isLive, type Member } from '../../membership/core/member.ts'
import { hostId } from '../../network/host-id.ts'
import type { ClientFlags } from '../options/flags.ts'
import { look } from '../peers/client.ts'
import { print } from '../terminal/output.ts'

export interface PriorityFlags extends ClientFlags {
  /** The end of a PeerId. Default: the peer on this machine. */
  peer?: string
}

export async function priority(priority: ElectionPriority, flags: PriorityFlags): Promise<number> {
  return await look(flags, async (client, { signal }) => {
    const { peer } = flags
    const members = client.members().filter(isLive)
    const id = peer === undefined ? peerHere(members, hostId()) : wholePeerId(members, peer)
    const now = await client.setElectionPriority(id, priority, { signal })
    await print(`${id} has the priority ${now}${typeof priority === 'number' ? '' : ` (${priority})`}`)
  })
}

/**
 * Finds the peer on this machine.
 *
 * @throws InvalidOptionError unless exactly one live member runs on this machine
 */
function peerHere(members: readonly Member[], host: string | undefined): string {
  if (host === undefined)
    throw new InvalidOptionError('this system does not tell which peer runs on this machine: name it with --peer')
  const here = members.filter(member => member.host === host)
  const [member] = here
  if (member !== undefined && here.length === 1) return member.id
  const problem = member === undefined ? 'no peer' : `more than one peer, ${here.length},`
  throw new InvalidOptionError(`${problem} of the cluster runs on this machine: name one with --peer`)
}

/**
 * Completes the end of a PeerId, as `status` shows it.
 *
 * @throws InvalidOptionError unless exactly one live member has this end
 */
function wholePeerId(members: readonly Member[], given: string): string {
  const found = members.filter(({ id }) => id.endsWith(given))
  const [member] = found
  if (member !== undefined && found.length === 1) return member.id
  const problem = member === undefined ? 'no live member' : `more than one live member, ${found.length},`
  throw new InvalidOptionError(
    `--peer: ${problem} has a PeerId that ends with ${given}: \`p2p-worker members\` lists them`
  )
}
