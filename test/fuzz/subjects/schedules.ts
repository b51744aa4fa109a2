import { type ScheduleMessage, scheduleProtocol } from '../../../src/schedules/messages.ts'
import { codeHash } from '../../../src/tasks/execute/code-store.ts'
import { encode } from '../../../src/tasks/values/payload.ts'
import fc from '../../properties.ts'
import { message as aMessage } from '../../schedules/drawn.ts'
import type { Random } from '../random.ts'
import type { Subject } from '../subject.ts'
import { bundle } from '../world/client.ts'

const POOL = 600
/** The share of messages whose names, expressions and numbers are replaced by ones that a peer can use. */
const AIMED = 0.85
const CRONS = ['* * * * * *', '* * * * *', '0 3 * * *', '0 0 30 2 *', '61 * * * *', '*/7 * * * * *']
const ZONES = ['UTC', 'Europe/Berlin', 'Mars/Base', '']

function aimed(message: ScheduleMessage, random: Random): ScheduleMessage {
  if (!random.chance(AIMED)) return message
  // The requests of a process count from 1.
  const changed = { ...message, request: 1 + random.below(60) }
  const name = random.pick(['nightly', 'hourly', 'a', 'b', 'nightly@2026-11-28T03:00:00Z'])
  switch (changed.type) {
    case 'add': {
      const times = random.chance(0.7)
        ? ({ type: 'cron', cron: random.pick(CRONS), timeZone: random.pick(ZONES) } as const)
        : ({ type: 'once', at: Date.now() + random.below(60_000) } as const)
      const input = encode(random.below(30), 'input')
      const { sha256, code } = bundle
      const job = { sha256, code, input, inputSha256: codeHash(input), requires: {} }
      const submission = { ...changed.schedule.submission, ...(random.chance(0.8) && job) }
      return { ...changed, name, schedule: { ...changed.schedule, times, id: random.pick(['1', '2']), submission } }
    }
    case 'remove':
    case 'pause':
    case 'resume':
    case 'run':
      return { ...changed, name }
    default:
      return changed
  }
}

export const schedules: Subject = {
  name: 'schedules',
  kind: 'protocol',
  victims: ['leader', 'leader', 'follower', 'client', 'client'],
  pool: (_world, random) =>
    fc
      .sample(aMessage, { seed: random.below(2 ** 31), numRuns: POOL })
      .map(message => scheduleProtocol.codec.encode(aimed(message, random)))
}
