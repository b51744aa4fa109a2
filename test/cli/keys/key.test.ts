import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyForClient, keyForJoin } from '../../../src/cli/keys/key.ts'
import { readOrMakeKey, readSavedKey } from '../../../src/cli/keys/saved-key.ts'
import { generateClusterKey, replacementKey } from '../../../src/network/cluster-key.ts'

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

  it('the key of a command comes from a file, which may contain several keys', async () => {
    const key = generateClusterKey()
    const file = join(home, 'lab.key')
    await writeFile(file, `${key}\n`, { mode: 0o600 })
    expect(await keyForClient({ keyFile: file }, 'lab', 0, never)).toEqual({ key: { key: [key] }, waited: 0 })
    const other = replacementKey('lab', key)
    await writeFile(file, `${other}\n# the old one\n${key}\n`)
    expect(await keyForClient({ keyFile: file }, 'lab', 0, never)).toEqual({ key: { key: [other, key] }, waited: 0 })
    await expect(keyForClient({ keyFile: join(home, 'none') }, 'lab', 0, never)).rejects.toThrow("option '--key-file'")
  })

  it('a malformed key is refused with an error that does not contain the key', async () => {
    const error: unknown = await keyForJoin({ key: 'secret' }, 'lab', generateClusterKey).catch(thrown => thrown)
    expect(error).toMatchObject({ name: 'InvalidOptionError' })
    expect(String(error)).not.toContain('secret')
  })

  it('a peer without a key creates and saves a key, and a client finds the saved key', async () => {
    const { options, made } = await keyForJoin({}, 'lab', generateClusterKey)
    expect(made).toMatchObject({ file: join(home, 'keys', 'lab.key') })
    expect(await keyForJoin({}, 'lab', generateClusterKey)).toMatchObject({
      options,
      source: { file: join(home, 'keys', 'lab.key') }
    })
    expect(await keyForClient({}, 'lab', 0, never)).toEqual({ key: options, waited: 0 })
  })

  it('a client without a key waits for a saved key for as long as it would search for a cluster', async () => {
    const key = generateClusterKey()
    const found = keyForClient({}, 'lab', 20_000, never)
    await readOrMakeKey('lab', () => key)
    expect(await found).toMatchObject({ key: { key: [key] } })
    await expect(keyForClient({}, 'office', 10, never)).rejects.toMatchObject({ name: 'NoClusterError' })
  })

  it('a peer saves the key of a token, and other commands on the same machine find this key', async () => {
    const token = { cluster: 'lab', key: generateClusterKey(), addresses: [] }
    const { options, adoption } = await keyForJoin({ token }, 'lab', generateClusterKey)
    expect(options).toEqual({ key: [token.key] })
    expect(adoption?.kept).toBeUndefined()
    expect(await keyForClient({}, 'lab', 0, never)).toEqual({ key: options, waited: 0 })
    expect(await keyForJoin({}, 'lab', generateClusterKey)).toMatchObject({ options })
  })

  it('a client uses the key of a token, and does not save the key', async () => {
    const token = { cluster: 'lab', key: generateClusterKey(), addresses: [] }
    expect(await keyForClient({ token }, 'lab', 0, never)).toEqual({ key: { key: token.key }, waited: 0 })
    expect(await readSavedKey('lab')).toBeUndefined()
  })
})
