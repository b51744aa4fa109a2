/**
 * Refuses requests that web pages of other sites send. A page in a browser can send requests to ports of the user's machine. The
 * headers of such a request contain the origin of the page, or the host name that the page used to reach this peer.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { HttpBindings } from '@hono/node-server'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { InvalidOptionError } from '../common/errors.ts'
import { HttpProblem } from './problem.ts'

/** The headers of every answer. They forbid browsers to frame the answer, to cache it, or to guess another content type. */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff'
} as const

/** Returns the name or address in a `Host` header, without the port, or undefined when the header is malformed. */
function nameIn(host: string): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host)
  if (match === null) return undefined
  const [, ip6, other] = match
  if (ip6 !== undefined) return isIP(ip6) === 6 ? ip6 : undefined
  return other?.toLowerCase().replace(/\.$/, '')
}

/**
 * Whether a request was sent to an address, or to a name of this peer. The owner of any other name can point this name to the
 * address of this machine. A browser would then treat the owner's page and this peer as one site (DNS rebinding). Nobody can point an
 * address to another machine, so every address is allowed.
 */
export function isOwnHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  const name = host === undefined ? undefined : nameIn(host)
  return name !== undefined && (isIP(name) !== 0 || names.has(name))
}

/**
 * Returns the names to which clients may send requests. Clients may also send requests to any address.
 *
 * @throws InvalidOptionError when an entry of `more` is not a valid host name
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
 * Whether the headers show that a page of another site sent the request. Only browsers send these headers.
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
 * Returns the host names of a request: the name in its target, which takes precedence when a proxy sends the request, and the name in
 * each `Host` header, because an invalid name may follow a valid name.
 */
function hostsOf({ headersDistinct, url = '' }: IncomingMessage): string[] {
  const [, target] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return [...(headersDistinct.host ?? []), ...(target === undefined ? [] : [target])]
}

/**
 * Whether the browser sends the request because the user follows a link to the dashboard. Answering such a request is safe, because a
 * page of another site can neither read nor frame the dashboard.
 */
function isLinkToPage(req: HonoRequest): boolean {
  return (
    req.method === 'GET' &&
    req.path === '/' &&
    req.header('sec-fetch-mode') === 'navigate' &&
    req.header('sec-fetch-dest') === 'document'
  )
}

/** Refuses, on every route, requests that a page of another site may have sent. */
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
