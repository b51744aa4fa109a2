import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyForClient, keyForJoin, onlyOneKey } from '../../src/cli/key.ts'
import { readOrMakeKey } from '../../src/cli/saved-key.ts'
import { generateClusterKey } from '../../src/network/cluster-key.ts'

const never = new AbortController().signal

describe('the key of a command', () => {
  let home: string

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    vi.stubEnv('P2P_WORKER_HOME', home)
  })

  afterEach(async () => {
    vi.unstubAllEnvs()
    await rm(home, { recursive: true, force: true })
  })

  it('is the one of the command line, whatever the environment says', () => {
    const sources = { key: 'env', keyFile: undefined, insecure: 'cli' }
    expect(onlyOneKey({ key: 'k', insecure: true }, name => sources[name])).toEqual({ insecure: true })
  })

  it('is refused when there are two in one place', () => {
    expect(() => onlyOneKey({ key: 'k', insecure: true }, () => 'cli')).toThrow(
      '--key and --insecure contradict each other'
    )
    expect(() => onlyOneKey({ key: 'k', keyFile: 'f' }, () => 'env')).toThrow('(in the environment)')
  })

  it('comes from a file, without its line end', async () => {
    const key = generateClusterKey()
    const file = join(home, 'lab.key')
    await writeFile(file, `${key}\n`)
    expect(await keyForClient({ keyFile: file }, 'lab', 0, never)).toEqual({ key: { key }, waited: 0 })
    await expect(keyForClient({ keyFile: join(home, 'none') }, 'lab', 0, never)).rejects.toThrow("option '--key-file'")
  })

  it('is checked, and never shown, when it is malformed', async () => {
    const error: unknown = await keyForJoin({ key: 'secret' }, 'lab', generateClusterKey).catch(thrown => thrown)
    expect(error).toMatchObject({ name: 'InvalidOptionError' })
    expect(String(error)).not.toContain('secret')
  })

  it('is made for a peer that has none, and found by a client', async () => {
    const { options, made } = await keyForJoin({}, 'lab', generateClusterKey)
    expect(made).toMatchObject({ file: join(home, 'keys', 'lab.key') })
    expect(await keyForJoin({}, 'lab', generateClusterKey)).toEqual({ options, made: undefined })
    expect(await keyForClient({}, 'lab', 0, never)).toEqual({ key: options, waited: 0 })
  })

  it('is awaited by a client as long as it would look for a cluster', async () => {
    const key = generateClusterKey()
    const found = keyForClient({}, 'lab', 20_000, never)
    await readOrMakeKey('lab', () => key)
    expect(await found).toMatchObject({ key: { key } })
    await expect(keyForClient({}, 'office', 10, never)).rejects.toMatchObject({ name: 'NoClusterError' })
  })
})
