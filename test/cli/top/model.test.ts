import { describe, expect, it } from 'vitest'
import { happen } from '../../../src/cli/top/model.ts'
import { answer, job, logOf, member, modelAfter, status, view } from './fixtures.ts'

describe('the model of top', () => {
  it('at the start, the model of top logs the number of members, but not each member', () => {
    expect(logOf(modelAfter(view(0, status())))).toEqual([
      '2 live members at the start',
      'member-B leads (epoch 1)',
      'attached to peer peer-one'
    ])
  })

  it('the model of top logs members that join, are suspect, die, come back and leave', () => {
    const [A, B] = status().members as [ReturnType<typeof member>, ReturnType<typeof member>]
    const states = (...states: Array<'alive' | 'suspect' | 'dead' | 'left'>) =>
      states.map((state, index) => view(index, status({ members: [A, { ...B, state }] })))
    const model = modelAfter(
      ...states('alive', 'suspect', 'dead', 'alive', 'left'),
      view(9, status({ members: [A, B, member('C')] }))
    )
    expect(logOf(model).slice(3)).toEqual([
      'member member-B is suspect',
      'member member-B is dead',
      'member member-B is alive again',
      'member member-B left',
      'member member-B is alive again',
      'member member-C joined'
    ])
  })

  it('without a leader, the model of top contains the reason and the start of this time, and keeps the jobs of the last answer', () => {
    const led = status({ jobs: [job('one', { done: 7 })] })
    const none = status({ leader: undefined, noLeader: 'an election is under way', members: led.members })
    const model = modelAfter(view(0, led), answer(0, led), view(1_000, none), answer(1_001, none), view(2_000, none))
    expect(model).toMatchObject({ leaderlessSince: 1_000, whyNoLeader: 'an election is under way', answeredAt: 0 })
    expect(model.jobs).toMatchObject([{ jobId: 'one', done: 7 }])
    expect(logOf(model).at(-1)).toBe('no leader')
    const back = [view(3_000, led), answer(3_000, led)].reduce(happen, model)
    expect(back).toMatchObject({ leaderlessSince: undefined, whyNoLeader: undefined, answeredAt: 3_000 })
  })

  it('the model of top contains the time at which top lost its peer', () => {
    const gone = { ...view(1_000, status()), peer: undefined } as const
    const model = modelAfter(view(0, status()), gone, { ...gone, at: 2_000 })
    expect(model.lostSince).toBe(1_000)
    expect(logOf(model).at(-1)).toBe('lost peer peer-one: looking for another')
    const back = happen(model, view(3_000, status(), 'peer-two'))
    expect(back.lostSince).toBeUndefined()
    expect(logOf(back).at(-1)).toBe('attached to peer peer-two')
  })

  it('the model of top logs the reason of several failed requests to the leader only one time', () => {
    const failure = { type: 'failure', at: 0, message: 'the leader has not answered' } as const
    const model = modelAfter(view(0, status()), failure, failure)
    expect(model.failure).toBe('the leader has not answered')
    expect(logOf(model).filter(text => text === failure.message)).toHaveLength(1)
    expect(happen(model, answer(1, status())).failure).toBeUndefined()
  })

  it('the model of top keeps a log of bounded length', () => {
    let model = modelAfter(view(0, status()))
    for (let at = 1; at <= 1_000; at++) model = happen(model, { type: 'note', at, text: `note ${at}`, tone: 'plain' })
    expect(model.log).toHaveLength(200)
    expect(model.log.at(-1)?.text).toBe('note 1000')
    expect(model.note?.text).toBe('note 1000')
  })
})
