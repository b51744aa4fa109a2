/**
 * Who may ask at all: nobody's web page. A page that some browser shows can send requests to this machine's own ports; what it sends says where it
 * comes from, or under which name it was led here.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { HttpBindings } from '@hono/node-server'
import type { HonoRequest, MiddlewareHandler } from 'hono'
import { InvalidOptionError } from '../common/errors.ts'
import { HttpProblem } from './problem.ts'

/** Sent with every answer, so that no browser frames it, caches it, or takes it for another type. */
export const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff'
} as const

/** The name or address of a `Host` header, without its port; undefined where it has not the form of one. */
function nameIn(host: string): string | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::\d{1,5})?$/i.exec(host)
  if (match === null) return undefined
  const [, ip6, other] = match
  if (ip6 !== undefined) return isIP(ip6) === 6 ? ip6 : undefined
  return other?.toLowerCase().replace(/\.$/, '')
}

/**
 * Whether a request was sent to an address, or to a name that is this peer's. The owner of another name can let it lead here, and then a browser takes
 * their page and this peer for one site (DNS rebinding). Nobody owns an address.
 */
export function isOwnHost(host: string | undefined, names: ReadonlySet<string>): boolean {
  const name = host === undefined ? undefined : nameIn(host)
  return name !== undefined && (isIP(name) !== 0 || names.has(name))
}

/**
 * The names under which requests are taken, besides all addresses.
 *
 * @throws InvalidOptionError when one of `more` could be no name that a request is sent to: it would allow nothing
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

/** Whether a request says that a page of another site sends it. What no browser has sent says nothing of the kind. */
export function isCrossSite(headers: {
  host: string | undefined
  origin: string | undefined
  fetchSite: string | undefined
}): boolean {
  const { host, origin, fetchSite } = headers
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return true
  if (origin === undefined) return false
  // A proxy may speak TLS in front of this peer.
  return ![`http://${host}`, `https://${host}`].includes(origin)
}

/**
 * The names under which a request was sent: what its `Host` headers say, of which one that is not of this peer may stand behind one that is, and what
 * stands in its target, which goes before them where a proxy asks.
 */
function hostsOf({ headersDistinct, url = '' }: IncomingMessage): string[] {
  const [, target] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return [...(headersDistinct.host ?? []), ...(target === undefined ? [] : [target])]
}

/** Whether somebody follows a link to the dashboard, which only they will see then: a page of another site can neither read nor frame it. */
function isLinkToPage(req: HonoRequest): boolean {
  return (
    req.method === 'GET' &&
    req.path === '/' &&
    req.header('sec-fetch-mode') === 'navigate' &&
    req.header('sec-fetch-dest') === 'document'
  )
}

/** Refuses what a page of another site may have sent, whatever it asks for. */
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
