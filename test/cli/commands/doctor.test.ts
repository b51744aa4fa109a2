import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { doctor } from '../../../src/cli/commands/doctor.ts'
import { join, type Peer } from '../../../src/index.ts'
import { clientIdentityIn } from '../../../src/persistence/client-identity.ts'

const NAME = { cluster: `doctor-${process.pid}`, insecure: true, mdns: false } as const

let parent: string
let client: string
let peer: Peer

beforeAll(async () => {
  parent = await mkdtemp(joinPath(tmpdir(), 'p2p-worker-test-'))
  client = joinPath(parent, 'client')
  const id = peerIdFromPrivateKey(await clientIdentityIn(client)).toString()
  peer = await join({ ...NAME, profile: 'local', listen: ['/ip4/127.0.0.1/tcp/0'], allow: [id] })
})

afterAll(async () => {
  await peer?.leave()
  await rm(parent, { recursive: true })
})

/** Returns the exit code, and what the doctor says about the folder. */
async function ask(dataDir: string, sharesDataDir = false): Promise<[code: number, said: string | undefined]> {
  const said: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation(((text: string, done: () => void) => {
    said.push(text)
    done()
    return true
  }) as typeof process.stdout.write)
  try {
    const code = await doctor({ ...NAME, bootstrap: peer.addresses(), wait: 20_000, dataDir, sharesDataDir })
    return [code, said.find(text => text.includes('data folder: '))?.slice(0, 1)]
  } finally {
    write.mockRestore()
  }
}

it('the doctor is admitted with the identity of the folder of a client that the allow list names', async () => {
  expect(await ask(client)).toEqual([0, '•'])
})

it('the doctor ends with exit code 1 if the folder that the user names is missing, and makes no folder', async () => {
  await peer.setAccess({ allow: ['*'] })
  const missing = joinPath(parent, 'missing')
  expect(await ask(missing)).toEqual([1, '✗'])
  // The environment of a client may name the folder of a peer in another container.
  expect(await ask(missing, true)).toEqual([0, '•'])
  expect(await readdir(parent)).toEqual(['client'])
})
