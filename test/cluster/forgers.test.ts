import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { MAX_EPOCH } from '../../src/election/core/messages.ts'
import { join, type Peer } from '../../src/index.ts'
import { generateClusterKey, parseClusterKey } from '../../src/network/cluster-key.ts'
import type { RefusalKind } from '../../src/network/guard/refusals.ts'
import { until } from '../network/until.ts'
import { metadataOf } from '../simulation/membership.ts'
import { Forger } from './forger.ts'

const task = fileURLToPath(new URL('tasks/sleep-sum.ts', import.meta.url))
const key = generateClusterKey()
const N = 60
const expected = (N * (N - 1)) / 2

let peers: [Peer, Peer, Peer]
/** The epoch of the leadership that all peers accept. The epoch is above 1 if a peer met the other peers late after its start. */
let epoch: number
let forger: Forger
let folder: string
/** Changes in the cluster that no forgery may cause. */
let harm: string[]

beforeAll(async () => {
  const started: Peer[] = []
  for (let i = 0; i < 3; i++) {
    const bootstrap = started.flatMap(peer => peer.addresses().slice(0, 1))
    const listen = ['/ip4/127.0.0.1/tcp/0']
    // The first peer has the highest rank, so it remains the leader.
    const own = { slots: 1, electionPriority: i === 0 ? 1 : 0, role: i === 0 ? ('leader' as const) : ('auto' as const) }
    started.push(await join({ cluster: 'forgers', key, mdns: false, listen, bootstrap, ...own }))
  }
  peers = started as [Peer, Peer, Peer]
  await until(() => peers.every(peer => peer.members().length === 3))
  const agree = ({ leader }: Peer): boolean => leader?.id === peers[0].id && leader.epoch === peers[0].leader?.epoch
  await until(() => peers.every(agree))
  epoch = peers[0].leader!.epoch
  const honest = new Set(peers.map(({ id }) => id))
  for (const peer of peers) {
    peer.addEventListener('member', ({ detail: { id, state } }) => {
      if (honest.has(id) && (state === 'dead' || state === 'left')) harm.push(`${peer.id} takes ${id} for ${state}`)
    })
    peer.addEventListener('leader', ({ detail }) => harm.push(`${peer.id} has a leader ${JSON.stringify(detail)}`))
  }
})

afterAll(async () => {
  await Promise.all((peers ?? []).map(peer => peer.leave()))
})

beforeEach(async () => {
  harm = []
  folder = mkdtempSync(joinPath(tmpdir(), 'p2p-worker-forgers-'))
  const bootstrap = peers.flatMap(peer => peer.addresses().slice(0, 1))
  forger = await Forger.start('forgers', parseClusterKey(key), bootstrap)
  await until(() => peers.every(peer => peer.members().some(({ id }) => id === forger.id)))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** A forgery: its description, the kind of refusal under which it is counted, and a function that commits the forgery. */
type Forgery = [what: string, kind: RefusalKind, forge: (leader: Peer, follower: Peer, other: Peer) => Promise<unknown>]

const self = ({ id }: Peer) => ({
  type: 'self' as const,
  member: id,
  state: 'left' as const,
  incarnation: 9,
  revision: 9,
  metadata: { ...metadataOf(id), addresses: [] }
})

const FORGERIES: Forgery[] = [
  [
    'a record that another member has left, signed with the key of the forger',
    'forged',
    async (leader, _, other) => {
      const record = await forger.liar.forge(self(other))
      forger.liar.gossip(record.envelope)
      await forger.liar.send(leader.id, { type: 'records', records: [record] })
    }
  ],
  [
    'a record that another member is alive with an incarnation above all accusations',
    'forged',
    async (leader, _, other) => {
      const record = await forger.liar.forge({ ...self(other), state: 'alive', incarnation: 2 ** 40 })
      await forger.liar.send(leader.id, { type: 'records', records: [record] })
    }
  ],
  [
    'a push-pull which says that another member has left',
    'forged',
    async (leader, _, other) => {
      const record = (await forger.liar.forge(self(other))) as Awaited<ReturnType<typeof forger.liar.self>>
      await forger.liar.send(leader.id, forger.liar.sync([record]))
    }
  ],
  [
    'an accusation of a member in the name of a third member',
    'forged',
    async (leader, follower, other) => {
      const accusation = { type: 'accusation', target: other.id, incarnation: 0, kind: 'refused' } as const
      const record = await forger.liar.forge({ ...accusation, accuser: follower.id })
      forger.liar.gossip(record.envelope)
      await forger.liar.send(leader.id, { type: 'records', records: [record] })
    }
  ],
  [
    'a claim to lead with an epoch that no election can have reached',
    'epoch',
    async leader => {
      const claim = { epoch: MAX_EPOCH, leader: forger.id, priority: 2 ** 20, goAheads: [] }
      const coordinator = forger.statements.signer.coordinator(claim)
      forger.gossipLeadership(coordinator.signed)
      await forger.elect(leader.id, { type: 'coordinator', coordinator })
    }
  ],
  [
    'a claim that another member leads',
    'forged',
    async (leader, _, other) => {
      const claim = { epoch: epoch + 1, leader: other.id, priority: 0, goAheads: [] }
      const coordinator = forger.statements.signer.coordinator(claim)
      forger.gossipLeadership(coordinator.signed)
      await forger.elect(leader.id, { type: 'coordinator', coordinator })
    }
  ],
  [
    'a claim that another member is a rival of the leader',
    'forged',
    async (leader, _, other) => {
      const coordinator = forger.statements.signer.coordinator({
        epoch: epoch + 1,
        leader: other.id,
        priority: 0,
        goAheads: []
      })
      await forger.elect(leader.id, { type: 'rival', coordinator })
    }
  ],
  [
    'a go-ahead of the leader for the forger, signed with the key of the forger',
    'forged',
    async (leader, follower) => {
      const goAhead = forger.statements.signer.goAhead({ from: leader.id, fromEpoch: epoch, to: forger.id })
      const claim = { epoch: epoch + 1, leader: forger.id, priority: 5, goAheads: [goAhead] }
      const coordinator = forger.statements.signer.coordinator(claim)
      await forger.elect(follower.id, { type: 'coordinator', coordinator })
    }
  ],
  [
    'a go-ahead of the leader for another member, signed with the key of the forger',
    'forged',
    async (leader, follower) => {
      const goAhead = forger.statements.signer.goAhead({ from: leader.id, fromEpoch: epoch, to: follower.id })
      await forger.elect(follower.id, { type: 'goAhead', goAhead })
    }
  ],
  [
    'a relayed election message in the name of another member',
    'forged',
    async (leader, follower) => {
      const message = { from: follower.id, to: leader.id, nonce: 1, kind: 'election' as const }
      const signed = forger.statements.signer.relayed({ ...message, accepted: undefined, goAhead: undefined })
      await forger.elect(leader.id, { type: 'relayed', relayed: signed })
    }
  ],
  [
    'a relayed message in the name of the leader which says that the leader declines',
    'forged',
    async (leader, follower) => {
      const message = { from: leader.id, to: follower.id, nonce: 1, kind: 'declined' as const }
      const signed = forger.statements.signer.relayed({ ...message, accepted: undefined, goAhead: undefined })
      await forger.elect(follower.id, { type: 'relayed', relayed: signed })
    }
  ],
  [
    'the partials of chunks that the forger never received',
    'chunk',
    async () => {
      const own = new Set(forger.batches.flatMap(({ indices }) => indices))
      await forger.claimOutcomes(Array.from({ length: N }, (_, index) => index).filter(index => !own.has(index)))
    }
  ],
  [
    'a journal entry for other members which says that the job was cancelled',
    'journal',
    async (leader, follower) => {
      const [batch] = forger.batches
      const { job, submissionId, sha256 } = batch!
      const stats = { chunks: 0, retries: 0, recomputed: 0, speculated: 0, perPeer: {} }
      const record = {
        ...{ task: 'sleep-sum', sha256, inputSha256: sha256, slots: 3, keep: 60_000, leaders: [] },
        ...{ submission: undefined, checkpoint: undefined, outcome: { type: 'cancelled' as const, stats } }
      }
      for (const id of [leader.id, forger.id]) {
        const stamp = { epoch, rank: { priority: id === leader.id ? 1 : 0, id }, version: 1_000 }
        const entry = {
          job,
          submissionId,
          stamp,
          end: 'cancelled' as const,
          hasOutcome: true,
          next: 0,
          durable: 0,
          record
        }
        await forger.journal(follower.id, { epoch, type: 'put', entries: [entry] })
        await forger.journal(follower.id, { epoch, type: 'copy', entry })
        await forger.journal(follower.id, { epoch, type: 'forget', job, stamp })
      }
    }
  ]
]

test.each(FORGERIES)('peers refuse and count %s, and no peer is harmed', async (_, kind, forge) => {
  const [leader, follower, other] = peers
  const counted = () => peers.reduce((sum, peer) => sum + peer.refusals()[kind], 0)
  const before = counted()
  const release = joinPath(folder, 'over')
  const job = await other.submit<{ n: number; ms: number; until: string }, number>(task, {
    n: N,
    ms: 1_000,
    until: release
  })
  let isOver = false
  const result = job.result().finally(() => {
    isOver = true
  })
  await until(() => forger.batches.length > 0)
  await forge(leader, follower, other)
  await until(() => counted() > before)
  expect(isOver).toBe(false)
  // After the forger is gone, the other peers compute the chunks that the forger had.
  await forger.stop()
  writeFileSync(release, '')
  expect(await result).toBe(expected)
  for (const peer of peers) expect(peer.leader).toMatchObject({ id: leader.id, epoch })
  expect(harm).toEqual([])
})
