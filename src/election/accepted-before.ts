import type { Logger } from '../common/logger.ts'
import type { CoordinatorMessage } from './core/messages.ts'
import type { Statements } from './statements.ts'
import type { ElectionStore } from './types.ts'

/** Returns the newest leadership that this peer accepted in earlier runs. */
export function acceptedBefore(
  store: ElectionStore | undefined,
  statements: Statements,
  logger: Logger | undefined
): CoordinatorMessage | undefined {
  const kept = store?.accepted
  if (kept === undefined) return undefined
  try {
    return statements.readCoordinator(kept)
  } catch (error) {
    // The leadership may come from a cluster with another key. Its epoch still counts (see `epoch` in ElectionOptions).
    logger?.warn({ error }, 'the leadership in the data folder is not valid for this cluster')
    return undefined
  }
}
