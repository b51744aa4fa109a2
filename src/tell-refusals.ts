import type { Logger } from './logger.ts'
import type { Refusals } from './network/refusals.ts'

/** Lines at most: addresses and identities cost nothing. The counts go on. */
const MOST_LINES = 1_000

/** One line in the log for each kind of refusal and each who is refused: what is tried again and again must not fill a disk. */
export function tellRefusals(refusals: Refusals, logger: Logger): void {
  const told = new Set<string>()
  refusals.addEventListener('refusal', ({ detail: { kind, from, detail } }) => {
    const line = `${kind} ${from}`
    if (told.size >= MOST_LINES || told.has(line)) return
    told.add(line)
    logger.warn({ from, kind }, `refused: ${detail}`)
    if (told.size === MOST_LINES) logger.warn({}, 'so much has been refused that no more of it is told one by one')
  })
}
