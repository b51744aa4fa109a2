import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientIdentityIn, isPeersFolder, keptClientIdentity } from '../../src/persistence/client-identity.ts'
import { DataDir, identityIn } from '../../src/persistence/data-dir.ts'
import { LAB } from './folders.ts'

let home: string
let folder: string

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  folder = join(home, 'client')
})

afterEach(() => rm(home, { recursive: true, force: true }))

const id = async (of: Promise<Parameters<typeof peerIdFromPrivateKey>[0]>): Promise<string> =>
  peerIdFromPrivateKey(await of).toString()

describe('a data folder of clients', () => {
  it('all clients of a data folder share one PeerId, even if many clients start at the same time', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => id(clientIdentityIn(folder))))
    expect(new Set(ids).size).toBe(1)
    expect(await id(identityIn(folder))).toBe(ids[0])
    expect(await id(clientIdentityIn(folder))).toBe(ids[0])
    expect(await readdir(folder)).toEqual(['identity.key'])
    expect((await stat(join(folder, 'identity.key'))).mode & 0o777).toBe(0o600)
  })

  it('a client refuses a data folder that a peer uses or has used', async () => {
    expect(await isPeersFolder(folder)).toBe(false)
    const before = await id(clientIdentityIn(folder))
    const peer = await DataDir.open({ folder, cluster: LAB })
    expect(peerIdFromPrivateKey(peer.privateKey).toString()).toBe(before)
    expect(await isPeersFolder(folder)).toBe(true)
    await expect(clientIdentityIn(folder)).rejects.toMatchObject({
      name: 'InvalidOptionError',
      message: expect.stringContaining(`the data folder ${folder} is a peer's`)
    })
    await peer.state.raise({ incarnation: 1 })
    await peer.close()
    expect(await isPeersFolder(folder)).toBe(true)
  })

  it('clients may use a data folder in which `id` has created the identity', async () => {
    const made = await id(identityIn(folder))
    expect(await isPeersFolder(folder)).toBe(false)
    expect(await id(clientIdentityIn(folder))).toBe(made)
  })

  it('the kept identity of clients is found without writing, and there is none in a folder of a peer', async () => {
    expect(await keptClientIdentity(folder)).toBe(undefined)
    expect(await readdir(home)).toEqual([])
    const made = await id(clientIdentityIn(folder))
    expect(await id(keptClientIdentity(folder) as ReturnType<typeof clientIdentityIn>)).toBe(made)
    const peer = await DataDir.open({ folder, cluster: LAB })
    expect(await keptClientIdentity(folder)).toBe(undefined)
    await peer.close()
    expect(await keptClientIdentity(folder)).toBe(undefined)
  })

  it('a client refuses an unusable data folder with an error that names the reason', async () => {
    await expect(clientIdentityIn('/dev/null/x')).rejects.toMatchObject({
      name: 'InvalidOptionError',
      message: expect.stringContaining('/dev/null/x cannot be used')
    })
  })
})
