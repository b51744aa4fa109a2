import { expect, it } from 'vitest'
import { DEFAULT_LIMITS, type Limits, limitsWith } from '../../../src/common/limits.ts'
import { JobQuota, type SizedJob } from '../../../src/jobs/leader/job-quota.ts'

const MiB = 2 ** 20

/** The quota of a leader and its running jobs. A second passes before each submission unless `stepMs` differs. */
class Leader {
  readonly underWay: SizedJob[] = []
  now = 0
  stepMs = 1_000
  readonly room: JobQuota

  constructor(limits: Partial<Limits> = {}) {
    this.room = new JobQuota(limitsWith(limits), () => this.now)
  }

  /** Submits one more job; returns undefined if it was accepted. */
  submit(submitter: string, bytes = 1): ReturnType<JobQuota['take']> {
    this.now += this.stepMs
    const noRoom = this.room.take(submitter, bytes, this.underWay)
    if (noRoom === undefined) this.underWay.push({ submitter, bytes })
    return noRoom
  }

  /** Submits until there is no room; returns how many jobs were accepted. */
  fill(submitter: string, bytes?: number): number {
    let taken = 0
    while (this.submit(submitter, bytes) === undefined) taken += 1
    return taken
  }
}

it('the quota gives a single client the full allowance of one client', () => {
  expect(new Leader().fill('a')).toBe(DEFAULT_LIMITS.jobsPerClient)
})

it('the quota has a place for one more client while others use their full allowance and no job ends', () => {
  const leader = new Leader()
  for (const greedy of ['a', 'b', 'c']) expect(leader.fill(greedy)).toBeGreaterThan(0)
  expect(leader.submit('d')).toBeUndefined()
})

it('the quota converges to even shares as jobs of the first client end', () => {
  const leader = new Leader()
  leader.fill('a')
  for (let i = 0; i < 1_000; i++) {
    leader.underWay.shift()
    leader.submit('a')
    leader.fill('b')
  }
  const of = (client: string): number => leader.underWay.filter(({ submitter }) => submitter === client).length
  expect(Math.abs(of('a') - of('b'))).toBeLessThanOrEqual(2)
})

it('the quota gives its last place to a client without jobs', () => {
  const leader = new Leader({ jobs: 1 })
  expect(leader.submit('a')).toBeUndefined()
  expect(leader.submit('b')).toMatchObject({ reason: '1 of 1 jobs are under way', again: { places: 0 } })
})

it('the quota shares bytes as it shares places', () => {
  const leader = new Leader({ jobBytes: 64 * MiB })
  expect(leader.fill('a', 4 * MiB)).toBeLessThan(16)
  expect(leader.submit('b', 4 * MiB)).toBeUndefined()
})

it('the quota refuses for good a job that would not fit into an empty leader', () => {
  const noRoom = new Leader({ jobBytes: 8 * MiB }).submit('a', 9 * MiB)
  expect(noRoom).toMatchObject({ again: undefined, reason: expect.stringContaining(`${8 * MiB}`) })
})

it('the quota tells a client above its rate when to submit again, and how many jobs', () => {
  const leader = new Leader({ jobs: 10_000, jobsPerClient: 10_000 })
  leader.stepMs = 0
  expect(leader.fill('a')).toBe(DEFAULT_LIMITS.jobBurst)
  const again = leader.submit('a')?.again
  expect(again).toEqual({ ms: 100, places: DEFAULT_LIMITS.jobRate / 10 })
  leader.now += again!.ms
  expect(leader.fill('a')).toBe(again!.places)
  expect(leader.submit('b')).toBeUndefined()
})

it('the quota limits the busy replies to a client that does not wait', () => {
  const leader = new Leader()
  let told = 0
  while (leader.room.mayTell('a')) told += 1
  expect(told).toBeLessThan(2_000)
  expect(leader.room.mayTell('b')).toBe(true)
})
