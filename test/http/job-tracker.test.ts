import { beforeEach, describe, expect, it } from 'vitest'
import { JobTracker } from '../../src/http/job-tracker.ts'
import type { JobState, JobSummary } from '../../src/jobs/shared/types.ts'

const A = { id: 'A', epoch: 1 }
const B = { id: 'B', epoch: 2 }

function job(state: JobState, jobId = 'j'): JobSummary {
  const held = { durable: 0, durability: { memory: 1, disk: 0 } }
  return { jobId, state, task: 't', done: 0, total: undefined, unserved: false, age: undefined, ...held }
}

describe('the changes of jobs', () => {
  let told: string[]
  let tracker: JobTracker
  /** Lets the tracker ask a question, and immediately passes the answer to the tracker. */
  const answered = (jobs: JobSummary[], leader = A): void => tracker.answered(jobs, leader, tracker.asks())

  beforeEach(() => {
    told = []
    tracker = new JobTracker((jobId, state) => told.push(`${jobId} ${state}`))
  })

  it('the tracker reports no change after the first answer', () => {
    tracker.heard('k', 'running', A)
    answered([job('running'), job('running', 'k')])
    expect(told).toEqual([])
    answered([job('completed'), job('running', 'k')])
    expect(told).toEqual(['j completed'])
  })

  it('the tracker reports each change only once, from the first source that contains the change', () => {
    answered([])
    tracker.heard('j', 'accepted', A)
    answered([job('accepted')])
    answered([job('running')])
    tracker.heard('j', 'running', A)
    tracker.heard('j', 'completed', A)
    answered([job('completed')])
    expect(told).toEqual(['j accepted', 'j running', 'j completed'])
  })

  it('a late answer to a question from before a change does not undo the change', () => {
    answered([])
    const asked = tracker.asks()
    tracker.heard('j', 'accepted', A)
    tracker.heard('j', 'completed', A)
    tracker.answered([job('running')], A, asked)
    tracker.answered([], A, asked)
    answered([job('completed')])
    expect(told).toEqual(['j accepted', 'j completed'])
  })

  it('a running job is reported as `resumed` under another leader', () => {
    answered([job('running'), job('completed', 'old')])
    answered([job('running'), job('completed', 'old')], B)
    expect(told).toEqual(['j resumed'])
    tracker.heard('j', 'resumed', B)
    tracker.heard('j', 'accepted', B)
    expect(told).toEqual(['j resumed'])
    tracker.heard('j', 'resumed', { ...B, epoch: 3 })
    answered([job('running')], B)
    expect(told).toEqual(['j resumed', 'j resumed'])
  })

  it('the event stream reports a suspended job once, and reports `resumed` when the job goes on under any leader', () => {
    answered([])
    answered([job('suspended')])
    tracker.heard('j', 'suspended', B)
    answered([job('suspended')], B)
    expect(told).toEqual(['j suspended'])
    tracker.heard('j', 'resumed', B)
    answered([job('running')], B)
    expect(told).toEqual(['j suspended', 'j resumed'])
    answered([job('suspended')], B)
    answered([job('running')], B)
    answered([job('suspended')], B)
    answered([job('cancelled')], B)
    expect(told.slice(2)).toEqual(['j suspended', 'j resumed', 'j suspended', 'j cancelled'])
  })

  it('a job that reuses the id of an ended or forgotten job is reported again', () => {
    answered([job('cancelled')])
    tracker.heard('j', 'accepted', A)
    expect(told).toEqual(['j accepted'])
    tracker.heard('j', 'failed', A)
    answered([])
    answered([job('running')])
    expect(told).toEqual(['j accepted', 'j failed', 'j running'])
  })

  it('the tracker forgets no job while there is no leader', () => {
    answered([job('running')])
    tracker.answered([], undefined, tracker.asks())
    answered([job('running')])
    expect(told).toEqual([])
  })
})
