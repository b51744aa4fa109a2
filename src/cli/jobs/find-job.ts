import type { Client } from '../../api/types.ts'
import { InvalidOptionError } from '../../common/errors.ts'

const WHOLE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Shorter ones are more likely to be slips. */
const BEGINNING = /^[0-9a-f-]{4,35}$/

/**
 * The id of the job that somebody means who gives its beginning, as a narrow table shows it. Only of ids that were made by themselves: of those that
 * users choose, one may well be the beginning of another.
 *
 * @throws InvalidOptionError when several begin like that
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
