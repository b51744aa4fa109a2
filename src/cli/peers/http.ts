/** Implements `--http`: the address and the token of a peer's HTTP API. */
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { Peer } from '../../api/types.ts'
import { InvalidOptionError } from '../../common/errors.ts'
import type { Logger } from '../../common/logger.ts'
import type { PeerMetrics } from '../../http/metrics.ts'
import type { BoundHttp, HttpAddress, HttpServer } from '../../http/server.ts'
import { homeFolder } from '../keys/saved-key.ts'
import type { JoinFlags } from '../options/flags.ts'
import { paint, say } from '../terminal/output.ts'

/** Parses `[HOST:]PORT`. An IPv6 address must be in brackets. */
export function httpAddress(text: string): HttpAddress {
  const match = /^(?:(?:\[([^\]]*)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(text.trim())
  const port = Number(match?.[3])
  const [, ip6, other] = match ?? []
  if (!(port <= 65_535) || (ip6 !== undefined && !isIPv6(ip6))) {
    throw new InvalidOptionError(
      'It must be a port from 0 (any that is free) to 65535, or HOST:PORT; IPv6 in brackets, such as [::1]:8080.'
    )
  }
  const host = ip6 ?? other
  return host === undefined ? { port } : { host, port }
}

/** The steps of `join --http` before and after the peer exists. */
export interface StartingHttp {
  metrics: PeerMetrics
  serve(peer: Peer, logger: Logger): Promise<HttpServer>
  close(): Promise<void>
}

/** Binds the port before the peer joins the cluster, so that an error is reported before the join. */
export async function startHttp(flags: JoinFlags): Promise<StartingHttp | undefined> {
  const { http, httpAllowedHost, dataDir } = flags
  if (http === undefined) {
    if (httpAllowedHost === undefined) return undefined
    throw new InvalidOptionError("option '--http-allowed-host' means nothing without --http")
  }
  const [{ bindHttp }, { PeerMetrics }, { ownNames }] = await Promise.all([
    import('../../http/server.ts'),
    import('../../http/metrics.ts'),
    import('../../http/guard.ts')
  ])
  // Checks the names before the peer joins the cluster, like the port.
  ownNames(httpAllowedHost)
  const bound: BoundHttp = await bindHttp(http)
  if (!isLoopback(http.host)) warnOfOthers(http.host, bound.url)
  const metrics = new PeerMetrics()
  return {
    metrics,
    async serve(peer, logger) {
      // A peer with a data folder keeps its HTTP token across restarts, as it keeps its PeerId.
      const kept = dataDir !== undefined
      const tokenFile = kept ? join(dataDir, 'http-token') : join(await homeFolder(), 'http', `${peer.id}.token`)
      return await bound.serve(peer, { tokenFile, keepToken: kept, allowedHosts: httpAllowedHost, metrics, logger })
    },
    close: () => bound.close()
  }
}

/** Prints the URL of the API and an example of its use. Never prints the token itself. */
export function sayHttp({ url, tokenFile }: HttpServer): void {
  say(`         dashboard: ${paint('bold', `${url}/`)}`)
  say(`         also there: /api/status, /api/events, /metrics`)
  if (tokenFile === undefined) return
  // The example passes the header through the stdin of curl, because other users of this machine can see the arguments
  // of commands.
  say(`         jobs: sed 's/^/Authorization: Bearer /' ${quoted(tokenFile)} | curl -H @- ${quoted(`${url}/api/jobs`)}`)
}

function quoted(path: string): string {
  return /^[\w./:-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
}

function isLoopback(host = '127.0.0.1'): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/**
 * Warns when the API listens on all addresses. The printed URL contains an address of this machine that other machines
 * cannot use.
 */
function warnOfOthers(host: string | undefined, url: string): void {
  const port = /\d+$/.exec(url)?.[0]
  const where =
    host === '0.0.0.0' || host === '::' ? `port ${port} on any address of this machine` : url.replace('http://', '')
  say(
    `warning: --http: anyone who reaches ${where} may see the addresses of all members, the names and states of all jobs, and metrics. To submit needs the token, which others can read on its way where nothing encrypts it`
  )
}
