import { describe, expect, it } from 'vitest'
import { differsFrom, notPrinted } from './output.ts'

describe('a text block', () => {
  it.each([
    ['numbers and units of time', 'Result after 3.7 s: 12', 'Result after 812 ms: 4'],
    ['short and whole PeerIds', 'peer 3 (uGo5PBCo) 12D3KooWQ7hJ', 'peer 1 (A6pKaCvE) 12D3KooWAbc'],
    ['ids of jobs', 'job 1c0f2d8e-6c39-4f9e-9f0a-0d5f4d0c8a57', 'job aaaaaaaa-6c39-4f9e-9f0a-0d5f4d0c8a57'],
    ['text left out by …', 'a … c', 'a b b c'],
    ['spaces, bars and colours', 'a  b ██░░', 'a b \u001b[32m█░░░\u001b[0m']
  ])('the shown text may differ from the output in %s', (_, shown, printed) => {
    expect(notPrinted(shown, `before\n${printed}\nafter`)).toEqual([])
  })

  it('text with the note `exact` may differ from the output only in ids', () => {
    expect(notPrinted('peer 3 (uGo5PBCo) has 12', 'peer 3 (A6pKaCvE) has 12', true)).toEqual([])
    expect(notPrinted('peer 3 (uGo5PBCo) has 12', 'peer 3 (A6pKaCvE) has 13', true)).toEqual([
      'peer 3 (uGo5PBCo) has 12'
    ])
    expect(differsFrom({ a: 1, b: 'x 2' }, { a: 1, b: 'x 2' }, true)).toEqual([])
    expect(differsFrom({ a: 1, b: 'x 2' }, { a: 2, b: 'x 3' }, true)).toEqual(['it.a is 2', 'it.b is "x 3"'])
  })

  it('the shown text must contain the words of the output', () => {
    expect(notPrinted('peer 3 leads\npeer 4 follows', 'peer 1 leads\npeer 2 has left')).toEqual(['peer 4 follows'])
  })

  it('a shown line must have as many words as the printed line', () => {
    expect(notPrinted('peer 3 leads', 'peer 3 leads, epoch 1')).toEqual(['peer 3 leads'])
  })
})

describe('a JSON block', () => {
  it('shown JSON may differ in values other than strings, and may omit properties and elements', () => {
    expect(differsFrom({ a: 1, b: [{ c: 'x' }] }, { a: 2, b: [{ c: 'y' }, { c: 'x', d: 0 }], e: null })).toEqual([])
  })

  it.each([
    ['a missing property', { a: 1 }, { b: 1 }, 'it has no a'],
    ['another type', { a: 1 }, { a: '1' }, 'it.a is "1"'],
    ['false in place of true', { a: true }, { a: false }, 'it.a is false'],
    ['another string', { a: 'alive' }, { a: 'dead' }, 'it.a is "dead"'],
    [
      'an element that matches no printed element',
      { a: [{ b: 1 }] },
      { a: [{ c: 1 }] },
      'it.a[0] is like none that was printed'
    ]
  ])('the comparison finds %s', (_, shown, printed, what) => {
    expect(differsFrom(shown, printed)).toEqual([what])
  })
})
