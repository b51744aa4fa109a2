import type { FollowedLeader, LeaderSource } from '../jobs/client/leader-source.ts'
import type { Attachment } from './attachment.ts'

/** The leader in the newest view of an attachment. */
export function attachedLeaderSource(attachment: Attachment): LeaderSource {
  return {
    leader(): FollowedLeader | undefined {
      const leader = attachment.view?.leader
      return leader && { id: leader.id, epoch: leader.epoch }
    },
    subscribe(listener) {
      attachment.addEventListener('view', listener)
      return () => attachment.removeEventListener('view', listener)
    }
  }
}
