import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { expect, test } from 'vitest'
import { InvalidOptionError } from '../../../src/common/errors.ts'
import { generateClusterKey, parseClusterKey, replacementKey } from '../../../src/network/cluster-key.ts'
import { EVERYBODY, RIGHTS } from '../../../src/network/guard/admission.ts'
import type { Network } from '../../../src/network/types.ts'
import { address, bytesCodec, connected, event, pair, start, until } from '../support.ts'

const accept = () => {}
const forMembers = { name: 'members-only', codec: bytesCodec, maxMessageBytes: 1_000, needs: 'join' } as const

/** Calls `publish` again and again until `isHere` returns true. */
async function publishUntil(publish: () => void, isHere: () => boolean): Promise<void> {
  const timer = setInterval(publish, 100)
  await until(isHere).finally(() => clearInterval(timer))
}

async function newcomer(): Promise<{ privateKey: Awaited<ReturnType<typeof generateKeyPair>>; id: string }> {
  const privateKey = await generateKeyPair('Ed25519')
  return { privateKey, id: peerIdFromPrivateKey(privateKey).toString() }
}

test('a peer refuses a newcomer that is not on the allow list, counts the refusal as `unlisted`, and the newcomer gets the reason', async () => {
  const b = await newcomer()
  const a = await start({ allow: [{ peer: b.id, may: RIGHTS }] })
  const stranger = await start({ listen: [], bootstrap: [address(a)] })
  const { error, reason } = await event(stranger, 'refused')
  expect(reason).toBe('unlisted')
  expect(error.message).toContain('allow list')
  expect(error.message).not.toContain('another key')
  expect(stranger.connected()).toEqual([])
  expect(a.connected()).toEqual([])
  expect(a.refusals.counts().unlisted).toBeGreaterThan(0)
  const listed = await start({ privateKey: b.privateKey, bootstrap: [address(a)] })
  await Promise.all([connected(listed, a), connected(a, listed)])
})

test('a peer does not connect to a bootstrap peer that is missing on its allow list', async () => {
  const open = await start()
  const a = await start({ allow: [], bootstrap: [address(open)] })
  await until(() => a.tried().length > 0)
  expect(a.tried()[0]?.kind).toBe('unreachable')
  expect(a.connected()).toEqual([])
})

test('a peer disconnects the peers that a changed allow list leaves out, and admits the peers that the list names', async () => {
  const [a, b] = await pair()
  const gone = Promise.all([event(a, 'disconnected'), event(b, 'disconnected')])
  a.setAccess({ allow: [] })
  await gone
  a.setAccess({ allow: [{ peer: b.self, may: RIGHTS }] })
  await connected(b, a)
  a.setAccess({ allow: null })
  expect(a.admission.isLimited).toBe(false)
})

test('a peer refuses a newcomer that the allow list names without rights, although the list admits everybody else', async () => {
  const left = await newcomer()
  const allow = [
    { peer: EVERYBODY, may: RIGHTS },
    { peer: left.id, may: [] }
  ]
  const a = await start({ allow })
  const stranger = await start({ listen: [], privateKey: left.privateKey, bootstrap: [address(a)] })
  expect((await event(stranger, 'refused')).reason).toBe('unlisted')
  const other = await start({ bootstrap: [address(a)] })
  await connected(other, a)
  expect(stranger.connected()).toEqual([])
})

test('a peer with only the right to submit may connect, but gets no gossip and cannot use the protocols of members', async () => {
  const client = await newcomer()
  const a = await start({
    allow: [
      { peer: EVERYBODY, may: RIGHTS },
      { peer: client.id, may: ['submit'] }
    ]
  })
  const member = await start({ bootstrap: [address(a)] })
  const submitter = await start({ privateKey: client.privateKey, bootstrap: [address(a)] })
  await Promise.all([connected(member, a), connected(submitter, a)])
  const heard = new Map<Network, number>()
  const topics = [a, member, submitter].map(peer =>
    peer.subscribe('news', accept, () => void heard.set(peer, (heard.get(peer) ?? 0) + 1))
  )
  const bytes = new Uint8Array(1)
  await publishUntil(
    () => {
      for (const topic of topics) topic.publish(bytes)
    },
    () => (heard.get(a) ?? 0) >= 5 && (heard.get(member) ?? 0) >= 5
  )
  expect(heard.get(submitter)).toBeUndefined()

  const protocols = [a, member, submitter].map(peer => peer.register(forMembers, { onMessage: accept }))
  await expect(protocols[0]!.channel(submitter.self)).rejects.toThrow(/does not let .* join/)
  await protocols[1]!.send(a.self, bytes)
  const before = a.refusals.counts().role
  await protocols[2]!.send(a.self, bytes).catch(() => {})
  await until(() => a.refusals.counts().role > before)
})

test('peers replace the cluster key one after the other, and a peer closes only connections with the old key when it drops the old key', async () => {
  const made = generateClusterKey()
  const [old, next] = [parseClusterKey(made), parseClusterKey(replacementKey('test', made))]
  const [a, b] = await pair({ key: old })
  a.setAccess({ key: [old, next] })
  b.setAccess({ key: [next, old] })
  const c = await start({ key: next, bootstrap: [address(a), address(b)] })
  await Promise.all([connected(c, a), connected(c, b)])
  expect(c.clusterId).toBe(a.clusterId)
  const gone = event(a, 'disconnected', ({ peer }) => peer === b.self)
  a.setAccess({ key: next })
  // The connection between a and b uses the old key.
  await gone
  expect(a.isConnected(c.self)).toBe(true)
  await Promise.all([connected(a, b), connected(b, a)])
  const late = await start({ key: old, listen: [], bootstrap: [address(a)] })
  await event(late, 'refused')
  expect(late.connected()).toEqual([])
  expect(a.refusals.counts().key).toBeGreaterThan(0)
})

test('`setAccess` refuses a key of another cluster, and the connections stay open', async () => {
  const [a, b] = await pair({ key: parseClusterKey(generateClusterKey()) })
  expect(() => a.setAccess({ key: parseClusterKey(generateClusterKey()) })).toThrow(InvalidOptionError)
  expect(a.isConnected(b.self)).toBe(true)
})
