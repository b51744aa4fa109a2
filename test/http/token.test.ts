import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { bearerOf, isToken, newToken, tokenIn } from '../../src/http/token.ts'
import { Served } from './served.ts'

const TOKEN = /^[\w-]{43}$/

describe('the token', () => {
  let folder: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  })

  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(folder, { recursive: true, force: true })
  })

  it('each new token differs, and matches only itself', () => {
    const token = newToken()
    expect(token).toMatch(TOKEN)
    expect(newToken()).not.toBe(token)
    expect(isToken(token, token)).toBe(true)
    for (const other of ['', token.slice(1), `${token}x`, newToken()]) expect(isToken(other, token)).toBe(false)
  })

  it('bearerOf() reads the token only from a well-formed Bearer header', () => {
    expect(bearerOf('Bearer abc')).toBe('abc')
    expect(bearerOf('bearer abc')).toBe('abc')
    for (const other of [undefined, '', 'abc', 'Basic abc', 'Bearer', 'Bearer a b', 'Bearer  ']) {
      expect(bearerOf(other)).toBeUndefined()
    }
  })

  it('tokenIn() writes a new token to a file that only the owner can open, and later reads the token from the file', async () => {
    const file = join(folder, 'new', 'token')
    const token = await tokenIn(file)
    expect(await readFile(file, 'utf8')).toBe(`${token}\n`)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'new'))).mode & 0o777).toBe(0o700)
    expect(await tokenIn(file)).toBe(token)
  })

  it('a token file is refused if other users can open it, if it is not a regular file, or if it contains no token', async () => {
    const refused = async (file: string, why: RegExp): Promise<void> =>
      await expect(tokenIn(file)).rejects.toMatchObject({
        name: 'InvalidOptionError',
        message: expect.stringMatching(why)
      })
    const good = join(folder, 'good')
    const token = await tokenIn(good)
    for (const mode of [0o640, 0o604, 0o620]) {
      await chmod(good, mode)
      await refused(good, /other users of this machine can open it/)
    }
    await chmod(good, 0o600)
    await symlink(good, join(folder, 'link'))
    await refused(join(folder, 'link'), /is a link/)
    await symlink(join(folder, 'nothing'), join(folder, 'dangling'))
    await refused(join(folder, 'dangling'), /is a link/)
    await mkdir(join(folder, 'folder'))
    await refused(join(folder, 'folder'), /is no file/)
    await writeFile(join(folder, 'other'), 'hello\n', { mode: 0o600 })
    await refused(join(folder, 'other'), /holds no token/)
    await refused(join(good, 'below'), /cannot be kept in/)
    expect(await tokenIn(good)).toBe(token)
  })

  it("another user's token file is refused", async () => {
    const file = join(folder, 'token')
    await tokenIn(file)
    const another = process.getuid!() + 1
    vi.spyOn(process, 'getuid').mockReturnValue(another)
    await expect(tokenIn(file)).rejects.toThrow(/belongs to another user/)
  })

  it('the routes of jobs need the token, and the token appears in no log', { timeout: 120_000 }, async () => {
    const lines: string[] = []
    const log = (data: object, message: string): void => void lines.push(JSON.stringify({ ...data, message }))
    const logger = { debug: log, info: log, warn: log, error: log }
    const file = join(folder, 'token')
    const served = await Served.start({ logger }, { logger, tokenFile: file })
    try {
      await served.leads()
      const token = (await readFile(file, 'utf8')).trim()
      expect(served.http).toMatchObject({ token, tokenFile: file })
      const others: Record<string, string>[] = [
        {},
        { Authorization: `Bearer ${newToken()}` },
        { Authorization: `Basic ${token}` }
      ]
      for (const headers of others) {
        for (const path of ['/api/jobs', '/api/jobs/x', '/api/jobs/x/result', '/api/jobs/x/y']) {
          const { status, headers: answered, text } = await served.ask(path, { headers })
          expect([status, answered['www-authenticate']]).toEqual([401, 'Bearer'])
          expect(text).not.toContain(token)
        }
        const posted = await served.ask('/api/jobs', { method: 'POST', body: '{}', headers })
        expect(posted.status).toBe(401)
      }
      expect((await served.ask('/api/jobs', { token })).status).toBe(200)
      expect(lines.some(line => line.includes('without its token was refused'))).toBe(true)
      expect(lines.filter(line => line.includes(token))).toEqual([])
    } finally {
      await served.stop()
    }
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('with `keepToken`, the token file remains after the server stops', async () => {
    const file = join(folder, 'token')
    const served = await Served.start({}, { tokenFile: file, keepToken: true })
    await served.stop()
    expect((await readFile(file, 'utf8')).trim()).toBe(served.http.token)
  })
})
