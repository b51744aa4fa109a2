/**
 * Refuses requests that web pages of other sites make. A page in a browser can send requests to ports of the reader's
 * machine; their headers contain the page's origin, or the name under which it reached this peer.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { HttpBindings } from '@hono/node-server'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { InvalidOptionError } from '../common/errors.ts'
import { HttpProblem } from './problem.ts'

/** The headers of every answer. With them no browser frames it, caches it, or guesses another type. */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff'
} as const

/** The name or address of a `Host` header, without its port; undefined when the header is malformed. */
function nameIn(host: string): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host)
  if (match === null) return undefined
  const [, ip6, other] = match
  if (ip6 !== undefined) return isIP(ip6) === 6 ? ip6 : undefined
  return other?.toLowerCase().replace(/\.$/, '')
}

/**
 * Whether a request was sent to an address, or to a name of this peer. The owner of another name can point it to this
 * machine, and a browser would then treat their page and this peer as one site (DNS rebinding). Addresses have no such
 * owner.
 */
export function isOwnHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  const name = host === undefined ? undefined : nameIn(host)
  return name !== undefined && (isIP(name) !== 0 || names.has(name))
}

/**
 * The names that requests may be sent to, in addition to all addresses.
 *
 * @throws InvalidOptionError when an entry of `more` is not a valid host name, and so would allow nothing
 */
export function ownNames(more: readonly string[] = []): ReadonlySet<string> {
  return new Set(['localhost', hostname().toLowerCase(), ...more.map(allowedName)])
}

function allowedName(text: string): string {
  const name = nameIn(text)
  if (name === undefined || /:\d+$/.test(text)) {
    throw new InvalidOptionError(
      `an allowed host must be a name such as peer.example, without scheme, port or wildcard, not ${JSON.stringify(text)}`
    )
  }
  return name
}

/**
 * Whether the headers say that a page of another site sends the request. Clients other than browsers send no such
 * header.
 */
export function isCrossSite(headers: {
  host: string | undefined
  origin: string | undefined
  fetchSite: string | undefined
}): boolean {
  const { host, origin, fetchSite } = headers
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return true
  if (origin === undefined) return false
  // A proxy in front of this peer may use TLS.
  return ![`http://${host}`, `https://${host}`].includes(origin)
}

/**
 * The host names of a request: all its `Host` headers, because a foreign name may follow a valid one, and the name in its
 * target, which takes precedence when a proxy asks.
 */
function hostsOf({ headersDistinct, url = '' }: IncomingMessage): string[] {
  const [, target] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return [...(headersDistinct.host ?? []), ...(target === undefined ? [] : [target])]
}

/**
 * Whether the user follows a link to the dashboard. It is safe: a page of another site can neither read nor frame the
 * dashboard.
 */
function isLinkToPage(req: HonoRequest): boolean {
  return (
    req.method === 'GET' &&
    req.path === '/' &&
    req.header('sec-fetch-mode') === 'navigate' &&
    req.header('sec-fetch-dest') === 'document'
  )
}

/** Refuses requests that a page of another site may have sent, on every route. */
export function guard(names: ReadonlySet<string>): MiddlewareHandler<{ Bindings: HttpBindings }> {
  return async ({ req, env }, next) => {
    const hosts = hostsOf(env.incoming)
    const [host] = hosts
    if (host === undefined || !hosts.every(one => isOwnHost(one, names))) {
      throw new HttpProblem(
        403,
        'HostRefused',
        "this is not the name of this peer's HTTP API: use its address, or start the peer with --http-allowed-host NAME"
      )
    }
    const [origin, fetchSite] = [req.header('origin'), req.header('sec-fetch-site')]
    if (isCrossSite({ host, origin, fetchSite: isLinkToPage(req) ? undefined : fetchSite })) {
      throw new HttpProblem(403, 'CrossSiteRefused', 'pages of other sites may not ask this peer')
    }
    await next()
  }
}
