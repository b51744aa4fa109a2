import { exitCodes } from '../exit-codes.ts'
import { type KeyOptions, keyForClient } from '../keys/key.ts'
import { encodeToken } from '../keys/token.ts'
import type { InviteFlags } from '../options/flags.ts'
import { checkMultiaddrs } from '../peers/addresses.ts'
import { withClient } from '../peers/client.ts'
import { isLoopbackOnly, reachableAddresses } from '../peers/reachable.ts'
import { onInterruption } from '../terminal/interruption.ts'
import { paint, print, say } from '../terminal/output.ts'

/** Prints a token with which other machines join the cluster. */
export async function invite(flags: InviteFlags): Promise<number> {
  const { bootstrap = [] } = flags
  if (flags.offline) {
    const interruption = onInterruption()
    await checkMultiaddrs('--bootstrap', bootstrap)
    const { key } = await keyForClient(flags, flags.cluster, 0, interruption.signal)
    await printToken(flags, key, bootstrap.length === 0 ? [] : [bootstrap])
    return interruption.exitCode ?? exitCodes.done
  }
  return await withClient(
    flags,
    async (client, { signal }, key) => {
      const { members } = await client.status({ signal })
      const leader = client.leader?.id
      const live = members
        .filter(({ state }) => state === 'alive')
        // The leader comes first, because it stays connected to all members and is therefore reachable for other
        // machines.
        .toSorted((a, b) => Number(b.id === leader) - Number(a.id === leader))
      await printToken(flags, key, [bootstrap, ...live.map(({ addresses }) => addresses)])
    },
    // A cluster can be joined even without a leader.
    false
  )
}

async function printToken(flags: InviteFlags, options: KeyOptions, known: string[][]): Promise<void> {
  const isInsecure = 'insecure' in options
  const key = isInsecure ? undefined : [options.key].flat()[0]
  const addresses = reachableAddresses(known)
  const token = encodeToken({ cluster: flags.cluster, key, addresses })
  if (isInsecure) {
    say(
      paint(
        'bad',
        `WARNING: cluster ${flags.cluster} has no key, and neither has the token: anyone who reaches a port can join.`
      )
    )
    say('Join with it by `p2p-worker join --insecure TOKEN`.')
  }
  if (isLoopbackOnly(addresses)) {
    say('note: all known addresses are on this machine only: other machines need --bootstrap or mDNS beside the token')
  } else if (addresses.length === 0) {
    say('note: the token holds no address: another machine needs mDNS, or --bootstrap beside the token')
  }
  await print(flags.json ? JSON.stringify({ token, cluster: flags.cluster, insecure: isInsecure, addresses }) : token)
}
