import { describe, expect, it } from 'vitest'
import { type Action, type Controls, type Lists, placeOf, press, startControls } from '../../../src/cli/top/controls.ts'
import { answer, job, modelAfter, status } from './fixtures.ts'

const jobs = modelAfter(answer(0, status({ jobs: [job('one'), job('two'), job('over', { state: 'completed' })] }))).jobs
const lists: Lists = { members: ['A', 'B', 'C', 'D', 'E'], jobs, rows: { members: 3, jobs: 2 } }

function type(keys: string[], from: Controls = startControls()): { controls: Controls; actions: Action[] } {
  const actions: Action[] = []
  let controls = from
  for (const key of keys) {
    const pressed = press(controls, key, lists)
    controls = pressed.controls
    if (pressed.action !== undefined) actions.push(pressed.action)
  }
  return { controls, actions }
}

describe('the keys of top', () => {
  it('the keys of top move the selection through the members, but not beyond the ends of the list', () => {
    const place = (...keys: string[]): number => placeOf(type(keys).controls.members, lists.members)
    expect(place('down', 'j')).toBe(2)
    expect(place('down', 'down', 'up', 'k', 'k')).toBe(0)
    expect(place('pageDown')).toBe(2)
    expect(place('end')).toBe(4)
    expect(place('G', 'down')).toBe(4)
    expect(place('G', 'pageUp')).toBe(2)
    expect(place('G', 'g')).toBe(0)
  })

  it('Tab moves the selection of top to the jobs, and a second Tab moves it back to the members', () => {
    expect(type(['tab', 'down']).controls).toMatchObject({ panel: 'jobs', jobs: { id: 'two' }, members: { index: 0 } })
    expect(type(['tab', 'tab', 'down']).controls).toMatchObject({ panel: 'members', members: { id: 'B' } })
  })

  it('the selected item stays selected while the list changes, and the item at the same index is selected when the item disappears', () => {
    const { members } = type(['down', 'down']).controls
    expect(placeOf(members, ['Z', 'A', 'B', 'C'])).toBe(3)
    expect(placeOf(members, ['A', 'B', 'D', 'E'])).toBe(2)
    expect(placeOf(members, ['A'])).toBe(0)
    expect(placeOf(members, [])).toBe(0)
  })

  it('the key c of top cancels the selected job after a confirmation', () => {
    expect(type(['tab', 'down', 'c']).controls.asks).toBe('two')
    expect(type(['tab', 'down', 'c', 'y'])).toMatchObject({
      controls: { asks: undefined },
      actions: [{ type: 'cancel', jobId: 'two' }]
    })
    for (const no of ['n', 'escape', 'q']) {
      expect(type(['c', no])).toEqual({ controls: startControls(), actions: [] })
    }
    // The question stays open at any key that means neither yes nor no.
    expect(type(['c', 'x', 'down', 'return'])).toMatchObject({ controls: { asks: 'one' }, actions: [] })
  })

  it('the key c of top shows a reason when there is no job to cancel', () => {
    expect(type(['tab', 'end', 'c']).actions).toEqual([{ type: 'say', text: 'job over (count) has ended: completed' }])
    expect(press(startControls(), 'c', { ...lists, jobs: [] }).action).toMatchObject({
      text: 'there is no job to cancel'
    })
  })

  it('top quits by q, and by Ctrl-C on every screen', () => {
    expect(type(['q']).actions).toEqual([{ type: 'quit' }])
    for (const before of ['c', '?', 'tab']) expect(type([before, 'ctrl-c']).actions).toEqual([{ type: 'quit' }])
  })

  it('the help of top stays until the next key, and this key has no other effect', () => {
    expect(type(['?']).controls.help).toBe(true)
    expect(type(['?', 'q'])).toEqual({ controls: startControls(), actions: [] })
  })
})
