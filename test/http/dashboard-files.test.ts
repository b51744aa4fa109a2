import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { builtFile } from '../../src/common/built-file.ts'
import { DashboardFiles } from '../../src/http/dashboard-files.ts'
import { answerTo } from '../../src/http/problem.ts'
import { Served } from './served.ts'

const folder = dirname(builtFile('http/dashboard/index.html'))
const page = readFileSync(join(folder, 'index.html'), 'utf8')
const parts = [...page.matchAll(/\/dashboard\/(app-\w+\.(?:js|css))"/g)].map(([, name = '']) => name)

const files = new DashboardFiles()
const app = new Hono()
app.get('/', c => files.page(c))
app.get('/dashboard/:file', c => files.part(c, c.req.param('file')))
app.onError((error, c) => {
  const answer = answerTo(error)
  if (answer === undefined) throw error
  return c.json(answer.body, answer.status, answer.headers)
})

async function ask(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return await app.request(path, { headers })
}

async function bodyOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer())
}

describe('the files of the dashboard', () => {
  it('the dashboard consists of a page, a script and a style sheet, and the page names the script and the style sheet by their hashes', () => {
    expect(parts.map(name => name.replace(/-\w+/, ''))).toEqual(['app.css', 'app.js'])
    expect(readdirSync(folder).sort()).toEqual(['index.html', ...parts, 'THIRD-PARTY.txt'].sort())
  })

  it('the dashboard loads nothing from other hosts, and the page has no inline script or style', () => {
    const links = [...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target)
    expect(links.filter(target => !/^(\/|#|data:image\/svg\+xml,)/.test(target ?? ''))).toEqual([])
    expect(page).not.toMatch(/<style|\bstyle=|\bon\w+=|<script>/)
    const style = readFileSync(join(folder, parts[0]!), 'utf8')
    expect(style).not.toMatch(/url\(|@import|@font-face/)
  })

  it('the compressed dashboard has less than 60 kB', async () => {
    for (const encoding of ['br', 'gzip']) {
      const paths = ['/', ...parts.map(name => `/dashboard/${name}`)]
      const bodies = await Promise.all(
        paths.map(async path => bodyOf(await ask(path, { 'accept-encoding': encoding })))
      )
      expect(bodies.reduce((sum, { length }) => sum + length, 0)).toBeLessThan(60_000)
    }
  })

  it('the dashboard includes the licences of its packages', () => {
    const notices = readFileSync(join(folder, 'THIRD-PARTY.txt'), 'utf8')
    for (const name of ['preact', 'uplot']) {
      const url = new URL(`../../node_modules/${name}/package.json`, import.meta.url)
      const { version, license } = JSON.parse(readFileSync(url, 'utf8')) as { version: string; license: string }
      expect(notices).toContain(`\n${name} ${version}\nLicence: ${license}\n`)
    }
  })

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['', null],
    ['zstd', null]
  ])('a request that accepts %j receives the dashboard in the encoding %s', async (accepted, encoding) => {
    for (const path of ['/', ...parts.map(name => `/dashboard/${name}`)]) {
      const response = await ask(path, { 'Accept-Encoding': accepted })
      expect(response.headers.get('content-encoding')).toBe(encoding)
      expect(response.headers.get('vary')).toBe('Accept-Encoding')
      const body = await bodyOf(response)
      const text = encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
      expect(text).toEqual(readFileSync(join(folder, path === '/' ? 'index.html' : path.slice('/dashboard/'.length))))
    }
  })

  it('files with a hash in their name are cached for ever, and the page is revalidated', async () => {
    const first = await ask('/')
    expect(first.headers.get('cache-control')).toBe('no-cache')
    const again = await ask('/', { 'If-None-Match': `"other", W/${first.headers.get('etag')}` })
    expect([again.status, (await bodyOf(again)).length]).toEqual([304, 0])
    expect((await ask('/', { 'If-None-Match': '"other"' })).status).toBe(200)
    for (const name of parts) {
      const response = await ask(`/dashboard/${name}`)
      expect(response.headers.get('cache-control')).toContain('immutable')
      const etag = response.headers.get('etag') ?? ''
      expect((await ask(`/dashboard/${name}`, { 'If-None-Match': etag })).status).toBe(304)
    }
  })

  it.each(['app-0000000000.js', 'app.js', 'index.html', 'THIRD-PARTY.txt', `${parts[1]}.br`, '..%2F..%2Findex.js'])(
    'a request for a file that is not part of the dashboard receives 404: %s',
    async name => {
      const response = await ask(`/dashboard/${name}`)
      expect([response.status, await response.json()]).toEqual([
        404,
        { error: expect.objectContaining({ name: 'NoSuchFile' }) }
      ])
    }
  )

  it('concurrent requests for unknown files and long names receive 404', async () => {
    const names = ['app-0000000000.js', 'app-0000000000.js', `app-${'0'.repeat(1_000)}.js`]
    const responses = await Promise.all(names.map(name => ask(`/dashboard/${name}`)))
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404])
  })

  it('the content security policy lets the dashboard reach only its peer', async () => {
    const served = await Served.start()
    try {
      for (const path of ['/', `/dashboard/${parts[1]}`]) {
        const { status, headers } = await served.ask(path)
        expect(status).toBe(200)
        expect(headers['content-security-policy']).toBe(
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )
        expect(headers['x-content-type-options']).toBe('nosniff')
      }
      const { headers } = await served.ask('/api/status')
      expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
      expect(headers['cache-control']).toBe('no-store')
    } finally {
      await served.stop()
    }
  })
})
