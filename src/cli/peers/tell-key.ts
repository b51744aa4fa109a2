import type { Peer } from '../../api/types.ts'
import { encodeToken } from '../keys/token.ts'
import { paint, say } from '../terminal/output.ts'
import { isLoopbackOnly, reachableAddresses } from './reachable.ts'

/**
 * Where a new key went, and how other machines join. Only a terminal is shown the token: what is written to a file, or to a journal of services, is
 * kept, and read by others.
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
