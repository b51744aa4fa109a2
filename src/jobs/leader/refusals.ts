import type { NoRoom } from '../../journal/journal-room.ts'
import type { FromLeaderSays } from '../protocol/submit-messages.ts'

type Refused = Extract<FromLeaderSays, { type: 'refused' }>

/** The reply to a submission for which the data folder of the leader has no room. */
export function noRoomFor({ reason }: NoRoom): Refused {
  return { type: 'refused', reason, noRoom: true }
}

/** Why too few disks hold a job or a schedule. */
export interface DiskShortage {
  reason: string
  notDurable: { disks: number; durable: number }
}

/** The reply to a submission that asks for more disks than there are. */
export function tooFewDisks(durable: number, disks: number): Refused {
  const asked = `the job must be on ${durable} ${durable === 1 ? 'disk' : 'disks'}`
  const there = `${disks} ${disks === 1 ? 'peer' : 'peers'} with a data folder that takes writes can hold it`
  const reason = `${asked}, and only ${there}: start more peers with --data-dir (of the voters, if the cluster has voters), or ask for fewer disks`
  return { type: 'refused', reason, disks }
}

export function diskShortage(durable: number, disks: number): DiskShortage {
  return { reason: tooFewDisks(durable, disks).reason, notDurable: { disks, durable } }
}
