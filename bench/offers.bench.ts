/**
 * npm run bench -- offers [WORKERS [CHUNKS]]: measures the processor time for each message in which a worker reports retained partials to a
 * new leader. Many workers send such messages, and the new leader has not yet split the job. The network is simulated, and no chunk runs.
 */
import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { generateKeyPair } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import { type InFlightMessage, type WorkMessage, workProtocol } from '../src/jobs/protocol/work-messages.ts'
import { type JournalMessage, journalProtocol } from '../src/journal/messages.ts'
import { encode } from '../src/tasks/values/payload.ts'
import { FakeCluster, FakeNetwork, fakeSeal } from '../test/jobs/fake-cluster.ts'
import { FakeRunner } from '../test/jobs/fake-runner.ts'

const [workers = 64, chunks = 30_000] = process.argv.slice(2).map(Number)
/** The typical size of a batch of small chunks. */
const BATCH = 1_000
const EPOCH = 1
const code = Buffer.from('export default {}')
const sha256 = createHash('sha256').update(code).digest('hex')

const cluster = new FakeCluster()
// The split yields no chunk, so the leader must store all reports until the end.
const leader = cluster.add(new FakeRunner(1, { split: () => new Promise(() => {}) }))
cluster.elect(leader)
await leader.jobs.submit(
  { bundle: { code, sha256, name: 'squares', folder: '' }, input: encode(workers * chunks, 'input') },
  { id: 'night', detach: true }
)

const handler = leader.network.protocols.get('work')!.handler
const { onMessage } = handler
const turns: number[] = []
let joined = 0
handler.onMessage = (message, channel) => {
  // Processor time, unlike elapsed time, does not depend on other processes.
  const began = process.cpuUsage()
  onMessage(message, channel)
  const { user, system } = process.cpuUsage(began)
  turns.push((user + system) / 1_000)
  if ((message as WorkMessage).type === 'hello') joined += 1
}

for (let worker = 0; worker < workers; worker++) {
  const id = peerIdFromPrivateKey(await generateKeyPair('Ed25519')).toString()
  const network = new FakeNetwork(id, cluster.hub)
  network.register<JournalMessage>(journalProtocol, {
    onMessage: ({ epoch, type }, channel) => {
      if (type === 'read') void channel.send({ epoch, type: 'heads', heads: [], age: 0, isOnDisk: false })
    }
  })
  network.register<WorkMessage>(workProtocol, {
    onMessage: ({ epoch, type }, channel) => {
      if (type !== 'welcome') return
      for (let first = 0; first < chunks; first += BATCH)
        void channel.send({ epoch, ...offer(id, worker * chunks + first) })
      void channel.send({ epoch, type: 'hello', slots: 1, leaving: false })
    }
  })
  leader.membership.set({ ...leader.membership.self, id, slots: 1 })
}
while (joined < workers) await delay(10)

const total = turns.reduce((sum, turn) => sum + turn, 0)
console.log(`${workers} workers of ${chunks} chunks: longest turn ${ms(Math.max(...turns))}, all ${ms(total)}`)
process.exit()

function offer(worker: string, first: number): InFlightMessage {
  const indices = Array.from({ length: BATCH }, (_, i) => first + i)
  const digests = new Uint8Array(16 * BATCH)
  const seal = fakeSeal(leader.id).seal({ job: 'night', sha256, worker, epoch: EPOCH, indices, digests })
  const batch = { leader: leader.id, epoch: EPOCH, indices, digests, seal }
  return {
    type: 'in-flight',
    job: 'night',
    sha256,
    batch,
    retained: indices,
    sizes: indices.map(() => 8),
    running: [],
    waiting: []
  }
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`
}
