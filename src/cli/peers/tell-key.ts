import type { Peer } from '../../api/types.ts'
import { encodeToken } from '../keys/token.ts'
import { paint, say } from '../terminal/output.ts'
import { isLoopbackOnly, reachableAddresses } from './reachable.ts'

/**
 * Prints the file of a new key, and the way in which other machines join. The token is printed only on a terminal,
 * because other people may read files and service journals.
 */
export function tellKey(peer: Pick<Peer, 'cluster' | 'addresses'>, { key, file }: { key: string; file: string }): void {
  const { cluster } = peer
  const saved = `A new key for cluster ${cluster} is saved in ${file}.`
  if (process.stderr.isTTY !== true) {
    const option = cluster === 'default' ? '' : ` --cluster ${cluster}`
    say(`${saved} \`p2p-worker invite${option}\` prints a token with which other machines join.`)
    return
  }
  const addresses = reachableAddresses([peer.addresses()])
  say(`${saved} On other machines:`)
  say(`  ${paint('bold', `npx p2p-worker join ${encodeToken({ cluster, key, addresses })}`)}`)
  if (isLoopbackOnly(addresses))
    say('note: this peer listens on this machine only: other machines do not reach it (--listen)')
}
