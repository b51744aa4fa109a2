import type { Client } from '../../api/types.ts'
import { InvalidOptionError } from '../../common/errors.ts'

const WHOLE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/**
 * The beginning of the UUID of a job, with at least four characters, because a shorter text is more likely a typing
 * error.
 */
const BEGINNING = /^[0-9a-f-]{4,35}$/

/**
 * Completes the beginning of a job's id, which a narrow table shows instead of the whole id. Only generated ids are
 * completed, because an id that a user chose may be the beginning of another id.
 *
 * @throws InvalidOptionError when several ids have this beginning
 */
export async function wholeJobId(client: Pick<Client, 'status'>, given: string, signal: AbortSignal): Promise<string> {
  if (!BEGINNING.test(given)) return given
  const { jobs } = await client.status({ signal })
  const ids = jobs.map(({ jobId }) => jobId)
  const found = ids.includes(given) ? [] : ids.filter(id => WHOLE.test(id) && id.startsWith(given))
  if (found.length > 1)
    throw new InvalidOptionError(`several jobs begin with ${given}, ${found.join(' and ')}: give more of it`)
  return found[0] ?? given
}
