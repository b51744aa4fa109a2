/** The dashboard's page, as it was built (scripts/bundle-dashboard.mjs): read once, and sent compressed to who takes that. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Context } from 'hono'
import { builtFile } from '../common/built-file.ts'
import { HttpProblem } from './problem.ts'

/**
 * A page may load nothing but from this peer, and send nothing elsewhere: what gets into it by a task's or a job's name could neither run nor tell
 * anybody. Form fields are read by the page itself.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join('; ')

const TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8'
}

interface DashboardFile {
  type: string
  etag: string
  /** By encoding; `identity` is the file as it is. */
  bodies: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>
}

export class DashboardFiles {
  readonly #files = new Map<string, Promise<DashboardFile>>()

  /** The page itself, which is asked for anew each time: it says which files belong to it. */
  async page(c: Context): Promise<Response> {
    return send(c, await this.#read('index.html'), 'no-cache')
  }

  /** @throws HttpProblem where the page has no such file */
  async part(c: Context, name: string): Promise<Response> {
    // The name has a hash of what is in the file (scripts/bundle-dashboard.mjs). A longer one could be too long for the file system.
    if (!/^app-[\da-f]{10}\.(js|css)$/.test(name)) throw noSuchFile()
    return send(c, await this.#read(name), 'public, max-age=31536000, immutable')
  }

  async #read(name: string): Promise<DashboardFile> {
    const reading = this.#files.get(name) ?? readBuilt(name)
    this.#files.set(name, reading)
    try {
      return await reading
    } catch (error) {
      // Requests for files that do not exist must not fill the cache.
      if (this.#files.get(name) === reading) this.#files.delete(name)
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw noSuchFile()
      throw error
    }
  }
}

async function readBuilt(name: string): Promise<DashboardFile> {
  const path = join(dirname(builtFile('http/dashboard/index.html')), name)
  const [identity, br, gzip] = await Promise.all([path, `${path}.br`, `${path}.gz`].map(file => readFile(file)))
  const hash = createHash('sha256').update(identity!).digest('base64url').slice(0, 20)
  const end = name.slice(name.lastIndexOf('.') + 1)
  return { type: TYPES[end]!, etag: `"${hash}"`, bodies: { br: br!, gzip: gzip!, identity: identity! } }
}

/** Anybody may ask, so no pattern that begins with `\s*` looks at what they sent: it takes a time that grows with the square of the blanks. */
function send(c: Context, { type, etag, bodies }: DashboardFile, cache: string): Response {
  c.header('Content-Security-Policy', POLICY)
  c.header('Cache-Control', cache)
  c.header('ETag', etag)
  c.header('Vary', 'Accept-Encoding')
  if (
    c.req
      .header('if-none-match')
      ?.split(',')
      .some(known => known.trim().replace(/^W\//, '') === etag) === true
  ) {
    return c.body(null, 304)
  }
  const encoding = encodingOf(c.req.header('accept-encoding'))
  if (encoding !== 'identity') c.header('Content-Encoding', encoding)
  return c.body(bodies[encoding] as Buffer<ArrayBuffer>, 200, { 'Content-Type': type })
}

/** The smallest that the browser takes. */
function encodingOf(accepted = ''): 'br' | 'gzip' | 'identity' {
  const names = accepted.split(',').flatMap(part => {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase())
    return parameters.some(parameter => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name]
  })
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : 'identity'
}

function noSuchFile(): HttpProblem {
  return new HttpProblem(404, 'NoSuchFile', 'the dashboard has no such file any more: load the page at / again')
}
