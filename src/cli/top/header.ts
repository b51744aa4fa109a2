/** The head of the screen: the leader, the state and load of the cluster, and the age of the data. */
import type { MemberState } from '../../membership/core/member.ts'
import { capacityOf } from '../../views/members.ts'
import { bar, compactDuration, compactNumber, count, duration, shortId, timeOfDay } from '../../views/words.ts'
import { oneLine } from '../terminal/text-width.ts'
import { clusterPace } from './jobs.ts'
import { type Line, lineOf, lineOfParts, piece } from './line.ts'
import type { Model } from './model.ts'

/**
 * The age from which the screen marks an answer of the leader as old, in ms. The leader usually answers each second.
 */
export const OLD_MS = 3_000
/** How long the screen shows the outcome of a key, in ms. */
const NOTE_MS = 10_000
const BAR_CELLS = 10
const COLUMNS_WITH_BAR = 60

export function headerLines(model: Model, columns: number, now: number): Line[] {
  return [leaderLine(model, columns, now), loadLine(model, columns), stateLine(model, columns, now)]
}

function leaderLine(model: Model, columns: number, now: number): Line {
  const { cluster, leader, leaderlessSince, whyNoLeader, leaderChanges, leaderless } = model
  const name = [piece('cluster '), piece(oneLine(cluster), 'strong')]
  if (leader === undefined) {
    const since = leaderlessSince === undefined ? '' : ` for ${compactDuration(now - leaderlessSince)}`
    const why = whyNoLeader === undefined ? '' : `: ${oneLine(whyNoLeader)}`
    return lineOf([piece(`NO LEADER${since}${why}`, 'bad'), piece('  '), ...name], columns)
  }
  return lineOfParts(
    [
      [piece(`★ leader ${shortId(leader.id)}`, 'strong'), piece(` (epoch ${leader.epoch})`)],
      name,
      [piece(`${count(leaderChanges, 'leadership')} seen, ${duration(leaderless)} without`, 'gone')]
    ],
    columns
  )
}

function loadLine({ members, busy, jobs }: Model, columns: number): Line {
  const amount = (state: MemberState): number => members.filter(member => member.state === state).length
  const ill = [
    { text: `◐ ${amount('suspect')} suspect`, amount: amount('suspect'), tone: 'caution' as const },
    { text: `✕ ${amount('dead')} dead`, amount: amount('dead'), tone: 'bad' as const }
  ]
  const { live, workers, slots } = capacityOf(members)
  const used = busy && workers.reduce((sum, { id }) => sum + (busy.get(id) ?? 0), 0)
  const shown = columns < COLUMNS_WITH_BAR ? '' : `${bar(used ?? 0, slots, BAR_CELLS)} `
  const parts = [
    [piece(`${live.length} live`, 'strong')],
    ...ill.filter(each => each.amount > 0).map(({ text, tone }) => [piece(text, tone)]),
    [piece(`slots ${shown}${used ?? '?'}/${slots}`)],
    [piece(`${compactNumber(clusterPace(jobs))} chunks/s`)],
    // A count of 0 shows that no member has a fault, so the count is shown if there is room.
    ...ill.filter(each => each.amount === 0).map(({ text }) => [piece(text, 'gone')])
  ]
  return lineOfParts(parts, columns)
}

/** The line that shows the most serious current condition. */
function stateLine(model: Model, columns: number, now: number): Line {
  const { lostSince, answeredAt, failure, leader, note, peer } = model
  if (lostSince !== undefined) {
    const text = `NO PEER for ${compactDuration(now - lostSince)}, since ${timeOfDay(lostSince)}: looking for another; what is shown may be old`
    return lineOf([piece(text, 'bad')], columns)
  }
  if (answeredAt === undefined && leader !== undefined) {
    return lineOf([piece(failure === undefined ? 'asking the leader …' : oneLine(failure), 'caution')], columns)
  }
  if (answeredAt !== undefined && now - answeredAt > OLD_MS) {
    const text = `OLD: jobs and busy slots are of ${compactDuration(now - answeredAt)} ago, ${timeOfDay(answeredAt)}`
    return lineOf([piece(failure === undefined ? text : `${text}: ${oneLine(failure)}`, 'caution')], columns)
  }
  if (note !== undefined && now - note.at < NOTE_MS) return lineOf([piece(note.text, note.tone)], columns)
  return lineOf([piece(peer === undefined ? '' : `attached to peer ${shortId(peer)}`, 'gone')], columns)
}
