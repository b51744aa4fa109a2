import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { adoptKey, readOrMakeKey, readSavedKey, savedKeyFile } from '../../src/cli/saved-key.ts'
import { generateClusterKey, replacementKey } from '../../src/network/cluster-key.ts'

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

  it('are made once, for the user alone, and found again', async () => {
    const first = await readOrMakeKey('lab', () => 'first')
    expect(first).toEqual({ key: 'first', file: join(home, 'keys', 'lab.key'), made: true })
    expect((await stat(first.file)).mode & 0o777).toBe(0o600)
    expect((await stat(dirname(first.file))).mode & 0o777).toBe(0o700)
    expect(await readOrMakeKey('lab', () => 'second')).toMatchObject({ key: 'first', made: false })
    expect(await readSavedKey('lab')).toBe('first')
  })

  it('are one to a cluster', async () => {
    await readOrMakeKey('lab', () => 'a')
    expect(await readSavedKey('office')).toBeUndefined()
  })

  it.each([0o640, 0o604, 0o666])('are refused when others can get at them (mode %o)', async mode => {
    const { file } = await readOrMakeKey('lab', () => 'key')
    await chmod(file, mode)
    await expect(readSavedKey('lab')).rejects.toThrow(`run \`chmod 600 ${file}\``)
    await expect(readOrMakeKey('lab', () => 'other')).rejects.toMatchObject({ name: 'InvalidOptionError' })
  })

  it('are the same for all that make one at once', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => readOrMakeKey('lab', generateClusterKey)))
    expect(new Set(made.map(({ key }) => key)).size).toBe(1)
    expect(made.filter(each => each.made)).toHaveLength(1)
    expect(await readdir(join(home, 'keys'))).toEqual(['lab.key'])
  })

  it('say what to do when they cannot be saved', async () => {
    vi.stubEnv('P2P_WORKER_HOME', '/dev/null')
    await expect(readOrMakeKey('lab', () => 'key')).rejects.toThrow(/give --key|cannot be read/)
  })

  it("are kept in the system's folder for data without P2P_WORKER_HOME", async () => {
    vi.stubEnv('P2P_WORKER_HOME', '')
    expect(await savedKeyFile('lab')).toMatch(/p2p-worker.*keys.lab\.key$/)
  })

  describe('and the key of a token', () => {
    const key = generateClusterKey()

    it('is saved where none is, for the user alone', async () => {
      const { file, text } = await adoptKey('lab', key)
      expect(text).toBe(`${key}\n`)
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readSavedKey('lab')).toBe(key)
    })

    it('leaves a file alone that has it already', async () => {
      const { file } = await readOrMakeKey('lab', () => key)
      await writeFile(file, `${replacementKey('lab', key)}\n# old\n${key}\n`)
      const before = await readSavedKey('lab')
      expect(await adoptKey('lab', key)).toEqual({ file, text: before })
      expect(await readSavedKey('lab')).toBe(before)
    })

    it('goes before those of the same cluster', async () => {
      const { file } = await readOrMakeKey('lab', () => key)
      const next = replacementKey('lab', key)
      expect(await adoptKey('lab', next)).toEqual({ file, text: `${next}\n${key}\n` })
      expect((await stat(file)).mode & 0o777).toBe(0o600)
      expect(await readdir(dirname(file))).toEqual(['lab.key'])
    })

    it('takes the place of one of another cluster, which is kept beside, however often', async () => {
      const { file } = await readOrMakeKey('lab', () => key)
      const [second, third] = [generateClusterKey(), generateClusterKey()]
      expect(await adoptKey('lab', second)).toEqual({ file, text: `${second}\n`, kept: `${file}.old` })
      expect(await adoptKey('lab', third)).toEqual({ file, text: `${third}\n`, kept: `${file}.old-2` })
      expect(await readFile(`${file}.old`, 'utf8')).toBe(`${key}\n`)
      expect((await stat(`${file}.old`)).mode & 0o777).toBe(0o600)
      expect(await readSavedKey('lab')).toBe(third)
      expect((await readdir(dirname(file))).sort()).toEqual(['lab.key', 'lab.key.old', 'lab.key.old-2'])
    })

    it.skipIf(process.platform !== 'linux')('is used all the same where nothing can be saved', async () => {
      vi.stubEnv('P2P_WORKER_HOME', '/sys/nowhere')
      const { text, problem } = await adoptKey('lab', key)
      expect(text).toBeUndefined()
      expect(problem).toMatch(/\/sys\/nowhere/)
    })
  })
})
