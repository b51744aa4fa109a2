import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyForJoin } from '../../../src/cli/keys/key.ts'
import { adoptKey, readOrMakeKey, readSavedKey, savedKeyFile } from '../../../src/cli/keys/saved-key.ts'
import { generateClusterKey, replacementKey } from '../../../src/network/cluster-key.ts'

describe('saved keys', () => {
  let home: string

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    vi.stubEnv('P2P_WORKER_HOME', home)
  })

  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(home, { recursive: true, force: true })
  })

  it('a saved key is created only one time, in a file that only the user can read, and is found again', async () => {
    const first = await readOrMakeKey('lab', () => 'first')
    expect(first).toEqual({ key: 'first', file: join(home, 'keys', 'lab.key'), made: true })
    expect((await stat(first.file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(first.file))).mode & 0o777).toBe(0o700)
    expect(await readOrMakeKey('lab', () => 'second')).toMatchObject({ key: 'first', made: false })
    expect(await readSavedKey('lab')).toBe('first')
  })

  it('each cluster has a separate file of saved keys', async () => {
    await readOrMakeKey('lab', () => 'a')
    expect(await readSavedKey('office')).toBeUndefined()
  })

  it.each([0o640, 0o604, 0o666])('a key file that other users can read is refused (mode %o)', async mode => {
    const { file } = await readOrMakeKey('lab', () => 'key')
    await chmod(file, mode)
    await expect(readSavedKey('lab')).rejects.toThrow(`run \`chmod 600 ${file}\``)
    await expect(readOrMakeKey('lab', () => 'other')).rejects.toMatchObject({ name: 'InvalidOptionError' })
  })

  it('all of 20 concurrent calls that create a key for one cluster return the same key', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => readOrMakeKey('lab', generateClusterKey)))
    expect(new Set(made.map(({ key }) => key)).size).toBe(1)
    expect(made.filter(each => each.made)).toHaveLength(1)
    expect(await readdir(join(home, 'keys'))).toEqual(['lab.key'])
  })

  it('a key that cannot be saved causes an error with a remedy', async () => {
    vi.stubEnv('P2P_WORKER_HOME', '/dev/null')
    await expect(readOrMakeKey('lab', () => 'key')).rejects.toThrow(/give --key|cannot be read/)
  })

  it("without P2P_WORKER_HOME, saved keys are in the system's data folder", async () => {
    vi.stubEnv('P2P_WORKER_HOME', '')
    expect(await savedKeyFile('lab')).toMatch(/p2p-worker.*keys.lab\.key$/)
  })

  describe('the key of a token', () => {
    const key = generateClusterKey()

    it('the key of a token is saved if no key is saved yet, in a file that only the user can read', async () => {
      const { file, text, saved } = await adoptKey('lab', key)
      expect({ text, saved }).toEqual({ text: `${key}\n`, saved: 'new' })
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readSavedKey('lab')).toBe(key)
    })

    it('a token does not change a file of saved keys that already contains the key of the token', async () => {
      const { file } = await readOrMakeKey('lab', () => key)
      await writeFile(file, `${replacementKey('lab', key)}\n# old\n${key}\n`)
      const before = await readSavedKey('lab')
      expect(await adoptKey('lab', key)).toEqual({ file, text: before })
      expect(await readSavedKey('lab')).toBe(before)
    })

    it('the key of a token is not saved if other keys of the same cluster are saved, because they may have replaced the key', async () => {
      const next = replacementKey('lab', key)
      const { file } = await readOrMakeKey('lab', () => next)
      expect(await adoptKey('lab', key)).toEqual({ file, text: next, saved: 'other' })
      expect(await readFile(file, 'utf8')).toBe(`${next}\n`)
      expect(await readdir(dirname(file))).toEqual(['lab.key'])
    })

    it('a token’s key that is not saved comes before the saved keys, until the reread file contains the token’s key', async () => {
      const [next, third] = [replacementKey('lab', key), replacementKey('lab', key)]
      const { file } = await readOrMakeKey('lab', () => next)
      const flags = { token: { cluster: 'lab', key, addresses: [] } }
      const { options, source } = await keyForJoin(flags, 'lab', generateClusterKey)
      expect(options).toEqual({ key: [key, next] })
      await writeFile(file, `${third}\n`)
      expect(await source?.read()).toEqual([key, third])
      await writeFile(file, `${third}\n${key}\n`)
      expect(await source?.read()).toEqual([third, key])
    })

    it('of 10 concurrent calls with the same token, exactly one reports that it saved the key', async () => {
      const adopted = await Promise.all(Array.from({ length: 10 }, () => adoptKey('lab', key)))
      expect(adopted.filter(({ saved }) => saved === 'new')).toHaveLength(1)
      expect(await readdir(join(home, 'keys'))).toEqual(['lab.key'])
      expect(await readSavedKey('lab')).toBe(key)
    })

    it('10 concurrent calls with the same token leave one file of the old key and one file of the new key', async () => {
      const { file } = await readOrMakeKey('lab', generateClusterKey)
      const before = await readFile(file, 'utf8')
      await Promise.all(Array.from({ length: 10 }, () => adoptKey('lab', key)))
      expect((await readdir(dirname(file))).sort()).toEqual(['lab.key', 'lab.key.old'])
      expect(await readFile(`${file}.old`, 'utf8')).toBe(before)
      expect(await readSavedKey('lab')).toBe(key)
    })

    it('each key of a token replaces the saved key of another cluster, and each replaced key is kept in a file of its own', async () => {
      const { file } = await readOrMakeKey('lab', () => key)
      const [second, third] = [generateClusterKey(), generateClusterKey()]
      expect(await adoptKey('lab', second)).toEqual({
        file,
        text: `${second}\n`,
        saved: 'instead',
        kept: `${file}.old`
      })
      expect(await adoptKey('lab', third)).toEqual({
        file,
        text: `${third}\n`,
        saved: 'instead',
        kept: `${file}.old-2`
      })
      expect(await readFile(`${file}.old`, 'utf8')).toBe(`${key}\n`)
      expect((await stat(`${file}.old`)).mode & 0o777).toBe(0o600)
      expect(await readSavedKey('lab')).toBe(third)
      expect((await readdir(dirname(file))).sort()).toEqual(['lab.key', 'lab.key.old', 'lab.key.old-2'])
    })

    it.skipIf(process.platform !== 'linux')('adoptKey() returns a problem if a key cannot be saved', async () => {
      vi.stubEnv('P2P_WORKER_HOME', '/sys/nowhere')
      const { text, problem } = await adoptKey('lab', key)
      expect(text).toBeUndefined()
      expect(problem).toMatch(/\/sys\/nowhere/)
    })
  })
})
