import { expect, test } from 'vitest'
import type { Entry } from '../../src/journal/core/entry.ts'
import { ReplicatedEntries } from '../../src/journal/core/replicated-entries.ts'
import { ReplicatedEntry } from '../../src/journal/core/replicated-entry.ts'

const entry = (job: string, version: number): Entry<string> => ({
  job,
  stamp: { epoch: 1, rank: { priority: 0, id: 'a' }, version },
  submissionId: job,
  end: undefined,
  hasOutcome: false,
  next: 0,
  durable: 0,
  record: 'record'
})

// The durable world with seed 807360: the old copy of b ran the job again, long after others had forgotten its end.
test('a peer that has a copy of a job is not clean when another entry of the job counts since it was last checked', () => {
  const entries = new ReplicatedEntries<string>()
  const isClean = (): boolean => entries.isClean('b', false, true)
  entries.set('night', new ReplicatedEntry(entry('night', 1), ['b']))
  expect(isClean()).toBe(false)
  entries.set('night', new ReplicatedEntry(entry('night', 2), ['b']))
  expect(isClean()).toBe(false)
  entries.get('night')!.reset('b')
  expect(isClean()).toBe(true)
})

test('a peer is clean of a job that is forgotten while it is checked', () => {
  const entries = new ReplicatedEntries<string>()
  entries.set('night', new ReplicatedEntry(entry('night', 1), ['b']))
  expect(entries.isClean('b', false, true)).toBe(false)
  entries.delete('night')
  expect(entries.isClean('b', false, true)).toBe(true)
})
