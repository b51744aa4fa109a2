import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { problemsOf, type Schema } from '../schema.ts'
import { job, lock, member, schedule, status } from './told.ts'

const file = parse(readFileSync(new URL('../../../docs/openapi.yaml', import.meta.url), 'utf8')) as {
  components: { schemas: Record<string, Schema> }
}

function resolve(ref: string): Schema {
  return file.components.schemas[ref.slice(ref.lastIndexOf('/') + 1)]!
}

// openapi.test.ts compares docs/openapi.yaml with the answers of peers.
it('the status that the page expects matches docs/openapi.yaml', () => {
  const told = status({
    members: [member('P1'), member('P2', { rank: null, busy: null, rttMs: null })],
    jobs: [job('ep-1'), job('s', { total: null, ageMs: null })]
  })
  expect(problemsOf(told, file.components.schemas.Status!, resolve)).toEqual([])
  const leaderless = status({ leader: null, epoch: null, noLeader: 'an election is under way' })
  expect(problemsOf(leaderless, file.components.schemas.Status!, resolve)).toEqual([])
})

it('the locks that the page expects match docs/openapi.yaml', () => {
  expect(problemsOf(lock('nightly', 2, 1), file.components.schemas.LockInfo!, resolve)).toEqual([])
})

it('the schedules that the page expects match docs/openapi.yaml', () => {
  const schema = file.components.schemas.Schedule!
  const last = { job: 'a@2030-11-28T03:00:00Z', due: 1, state: 'running' } as const
  const once = schedule('b', { cron: null, at: 1, next: null, problem: 'the clock is off' })
  for (const told of [schedule('a', { last }), schedule('a', { last: { ...last, state: null } }), once])
    expect(problemsOf(told, schema, resolve)).toEqual([])
})
