import { submitProtocol } from '../../../src/jobs/protocol/submit-messages.ts'
import { workProtocol } from '../../../src/jobs/protocol/work-messages.ts'
import type { Stamp } from '../../../src/journal/core/entry.ts'
import { type JournalMessage, journalProtocol } from '../../../src/journal/messages.ts'
import { codeHash } from '../../../src/tasks/execute/code-store.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import { submit as aSubmit, work as aWork } from '../../jobs/drawn.ts'
import { message as aJournal } from '../../journal/drawn.ts'
import fc from '../../properties.ts'
import type { Random } from '../random.ts'
import type { Subject } from '../subject.ts'
import { bundle } from '../world/client.ts'
import type { World } from '../world/world.ts'
import { anEpoch, anId, JOBS } from './known.ts'

const POOL = 600
/** The share of names that are replaced by known names. Drawn names belong to no job and no peer, so frames with drawn names do not get far. */
const AIMED = 0.85

/** Replaces drawn names and numbers at any depth by names and numbers that are known in the world. */
function aimed<T>(value: T, world: World, random: Random): T {
  const change = (key: string, was: unknown): unknown => {
    if (key === 'job') return random.pick(JOBS)
    if (key === 'epoch') return anEpoch(world, random)
    if (key === 'rank') return { priority: random.below(2), id: anId(world, random) }
    if (key === 'first' || key === 'next' || key === 'folded' || key === 'seen' || key === 'got') return random.below(6)
    if (key === 'indices' && Array.isArray(was)) {
      const from = random.below(8)
      return was.map((_, i) => from + i)
    }
    return walk(was)
  }
  const walk = (was: unknown): unknown => {
    if (Array.isArray(was)) return was.map(walk)
    if (typeof was !== 'object' || was === null || ArrayBuffer.isView(was)) return was
    return Object.fromEntries(Object.entries(was).map(([key, each]) => [key, change(key, each)]))
  }
  return random.chance(AIMED) ? (walk(value) as T) : value
}

function seedOf(random: Random): { seed: number; numRuns: number } {
  return { seed: random.below(2 ** 31), numRuns: POOL }
}

export const work: Subject = {
  name: 'work',
  kind: 'protocol',
  victims: ['leader', 'follower'],
  pool: (world, random) => {
    const drawn = fc.sample(aWork, seedOf(random)).map(message => aimed(message, world, random))
    const code = { type: 'code', sha256: bundle.sha256, code: bundle.code } as const
    const more = Array.from({ length: 60 }, () => [
      { epoch: world.epoch, type: 'hello', slots: 1 + random.below(3), leaving: false } as const,
      { epoch: world.epoch + random.below(2), type: 'welcome' } as const,
      { epoch: world.epoch + random.below(2), ...code }
    ]).flat()
    return [...drawn, ...more].map(workProtocol.codec.encode)
  }
}

export const submit: Subject = {
  name: 'submit',
  kind: 'protocol',
  victims: ['leader', 'leader', 'follower', 'client', 'client'],
  pool: (world, random) => {
    const drawn = fc.sample(aSubmit, seedOf(random)).map(message => {
      const now = aimed(message, world, random)
      if (now.type !== 'submit' || random.chance(0.2)) return now
      const input = encode(random.below(30), 'input')
      const { sha256, code } = bundle
      return {
        ...now,
        submission: { ...now.submission, sha256, code, input, inputSha256: codeHash(input), requires: {} }
      }
    })
    return drawn.map(submitProtocol.codec.encode)
  }
}

function says(bytes: Uint8Array): string | undefined {
  try {
    return journalProtocol.codec.decode(bytes).type
  } catch {
    return undefined
  }
}

/** Changes a message so that it claims to come from the leader. */
function inNameOfLeader(message: JournalMessage, { epoch, leader }: World): JournalMessage {
  const { rank } = leader.election.leader ?? { rank: { priority: 1, id: leader.id } }
  const stamp = { epoch, rank, version: 2 ** 40 }
  if (message.type === 'put') return { ...message, epoch, entries: message.entries.map(entry => ({ ...entry, stamp })) }
  if (message.type === 'copy') return { ...message, epoch, entry: { ...message.entry, stamp } }
  return { ...message, epoch }
}

export const journal: Subject = {
  name: 'journal',
  kind: 'protocol',
  victims: ['leader', 'follower'],
  // Omits refusals that name a newer leader. The leader believes such a refusal, and pauses until the election has settled the leadership.
  spares: ({ to, bytes }) => to === 'leader' && says(bytes) === 'refused',
  harm: ({ leader, follower }) => {
    // The leader may take over a job that the hostile member reports, as docs/security.md says. So only the entries of the leader's own jobs are compared.
    const own = new Map(leader.replica.entries().map(({ job, stamp }) => [job, stamp]))
    const isOwn = ({ job, stamp }: { job: string; stamp: Stamp }): boolean => {
      const wrote = own.get(job)
      return wrote?.rank.id === leader.id && wrote.epoch === stamp.epoch && wrote.version >= stamp.version
    }
    const written = follower.replica
      .entries()
      .find(entry => JOBS.includes(entry.job) && entry.stamp.rank.id === leader.id && !isOwn(entry))
    return written && `somebody has written of job ${written.job} in the name of the leader`
  },
  pool: (world, random) =>
    fc.sample(aJournal, seedOf(random)).map(message => {
      const now = aimed(message, world, random)
      return journalProtocol.codec.encode(random.chance(0.3) ? inNameOfLeader(now, world) : now)
    })
}
