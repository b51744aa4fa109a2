import { describe, expect, it } from 'vitest'
import { EventParser, type StreamEvent } from '../../../src/http/dashboard/model/event-stream.ts'
import { HALF, places } from '../../../src/http/dashboard/model/ring.ts'
import { encodeEvent, HEARTBEAT } from '../../../src/http/event-stream.ts'
import fc from '../../properties.ts'
import { member } from './told.ts'

describe('the reader of a stream of events', () => {
  it('the parser reads the events of a peer wherever the stream is cut into pieces, and skips heartbeats', () => {
    const sent: StreamEvent[] = [
      { event: 'status', data: '{"cluster":"lab: a"}' },
      { event: 'leader', data: '{"peerId":null}' }
    ]
    const text = `retry: 2000\n\n${encodeEvent(1, sent[0]!.event, sent[0]!.data)}${HEARTBEAT}${encodeEvent(2, sent[1]!.event, sent[1]!.data)}`
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), cuts => {
        const at = [0, ...cuts.sort((a, b) => a - b), text.length]
        const parser = new EventParser()
        expect(at.slice(1).flatMap((end, index) => parser.push(text.slice(at[index], end)))).toEqual(sent)
      })
    )
  })

  it('the parser returns no incomplete event', () => {
    expect(new EventParser().push('event: status\ndata: {}\n')).toEqual([])
  })
})

describe('the ring', () => {
  const ids = (many: number) => Array.from({ length: many }, (_, index) => member(`P${String(index).padStart(3, '0')}`))

  it('members stay in place on the ring when the leader changes', () => {
    const spots = (leader: string) =>
      places(ids(20).reverse(), leader).map(({ member: { peerId }, x, y }) => [peerId, x, y])
    expect(spots('P003')).toEqual(spots('P011'))
  })

  it.each([1, 5, 12, 13, 50, 72, 300])('a ring of %d members fits, and no member covers another', many => {
    const all = places(ids(many), 'P000')
    for (const [
      at,
      {
        x,
        y,
        radius,
        member: { peerId }
      }
    ] of all.entries()) {
      expect(Math.hypot(x, y) + radius).toBeLessThan(HALF)
      const next = all[(at + 1) % many]!
      if (many > 1 && peerId !== 'P000' && next.member.peerId !== 'P000') {
        expect(Math.hypot(x - next.x, y - next.y)).toBeGreaterThan(many > 200 ? 2 : radius + next.radius)
      }
    }
  })

  it('the ring shows the name of every member while the names are legible, and always shows the name of the leader', () => {
    const named = (many: number) => places(ids(many), 'P001').filter(({ label }) => label.kind !== 'none').length
    expect([named(8), named(50), named(200)]).toEqual([8, 50, 1])
  })
})
