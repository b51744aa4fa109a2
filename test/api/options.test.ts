import { describe, expect, it, test } from 'vitest'
import { taskIsolation } from '../../src/api/options.ts'
import { limitsWith } from '../../src/common/limits.ts'
import { InvalidOptionError, type JoinOptions, join } from '../../src/index.ts'

const good: JoinOptions = { insecure: true, listen: ['/ip4/127.0.0.1/tcp/0'], mdns: false }

test.each<[string, JoinOptions, RegExp]>([
  ['neither a key nor insecure', { ...good, insecure: false }, /key/],
  ['a key and insecure', { ...good, key: 'A'.repeat(43) }, /contradict/],
  ['a malformed key', { ...good, insecure: false, key: 'short' }, /key/],
  ['an empty list of keys', { ...good, insecure: false, key: [] }, /at least one key/],
  ['an allow list with a name', { ...good, allow: ['laptop'] }, /allow.*laptop.*no PeerId/],
  ['an allow list with an unknown right', { ...good, allow: [{ peer: '*', may: ['lead' as 'join'] }] }, /allow.*lead/],
  ['an allow list with `*` twice', { ...good, allow: ['*', '*'] }, /listed twice/],
  ['zero slots', { ...good, slots: 0 }, /slots/],
  ['a payload limit above 511 MiB', { ...good, maxPayloadMb: 512 }, /maxPayloadMb.*from 1 to 511/],
  ['a heap limit below 16 MiB', { ...good, maxHeapMb: 15 }, /maxHeapMb.*from 16 to/],
  ['an unknown limit', { ...good, limits: { nonsense: 1 } as never }, /"nonsense" is no limit.*jobsPerClient/],
  ['a limit out of range', { ...good, limits: { jobs: 0 } }, /limit jobs.*from 1 to/],
  ['a fractional priority', { ...good, electionPriority: 0.5 }, /electionPriority/],
  [
    'an unknown criterion',
    { ...good, electionPriority: 'height' as 'age' },
    /electionPriority.*slots, memory, age.*height/
  ],
  ['an unknown strategy', { ...good, election: 'raft' as 'ring' }, /election.*bully, lowest, ring.*raft/],
  [
    'voters under another strategy than bully',
    { ...good, election: 'ring', voters: ['a', 'b', 'c'] },
    /voters.*election: 'bully'.*leave one of the two out/
  ],
  ['a bound of a data folder without one', { ...good, journalMb: 64 }, /journalMb.*without `dataDir`/],
  ['a data folder that is too small', { ...good, dataDir: '/nowhere', journalMb: 15 }, /journalMb.*16/],
  ['a wait for holders of more than a day', { ...good, recoverWait: 86_400_001 }, /recoverWait.*to 86400000/],
  ['an unknown role', { ...good, role: 'boss' as 'auto' }, /role/],
  ['an unknown profile', { ...good, profile: 'mars' as 'lan' }, /profile/],
  ['a tag without a name', { ...good, tags: { '': 'x' } }, /tags/],
  ['a malformed address', { ...good, listen: ['127.0.0.1:4001'] }, /127\.0\.0\.1:4001/],
  ['a malformed bootstrap address', { ...good, bootstrap: ['seed:4001'] }, /seed:4001/],
  ['a cluster name with a space', { ...good, cluster: 'my lab' }, /cluster/]
])('join() refuses %s before anything starts', async (_, options, message) => {
  const error = await join(options).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(InvalidOptionError)
  expect((error as Error).message).toMatch(message)
})

test('join() rejects with the reason of an aborted signal', async () => {
  const reason = new Error('changed my mind')
  await expect(join({ ...good, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

describe('isolation', () => {
  const limits = limitsWith()

  it('tasks run in threads by default', () => {
    expect(taskIsolation({ insecure: true }, limits)).toBe(undefined)
    expect(taskIsolation({ insecure: true, isolation: 'thread' }, limits)).toBe(undefined)
  })

  it('process isolation passes the listed environment variables', () => {
    const taskEnvironment = ['HF_TOKEN']
    expect(taskIsolation({ insecure: true, isolation: 'process', taskEnvironment }, limits)).toEqual({
      environment: taskEnvironment,
      limits
    })
  })

  it.each([
    [{ isolation: 'container' as 'process' }, '`isolation` must be one of thread, process, not container'],
    [{ taskEnvironment: ['A'] }, "`taskEnvironment` means nothing without `isolation: 'process'`"],
    [{ isolation: 'process' as const, taskEnvironment: ['NODE_OPTIONS'] }, '"NODE_OPTIONS" cannot be listed'],
    [{ isolation: 'process' as const, taskEnvironment: ['P2P_WORKER_KEY'] }, '"P2P_WORKER_KEY" cannot be listed'],
    [{ isolation: 'process' as const, taskEnvironment: ['A=B'] }, '"A=B" cannot be listed']
  ])('join() refuses %o', (options, message) => {
    expect(() => taskIsolation({ insecure: true, ...options }, limits)).toThrow(message)
  })
})
