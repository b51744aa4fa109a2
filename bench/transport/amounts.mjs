/** What the ends of a link send (end.mjs), and the benchmark counts. */
const isQuick = process.argv.includes('--quick')

/** The size of a message of the bulk, in bytes. */
export const PIECE = 2 ** 20
/** The bytes of the bulk. */
export const BULK = (isQuick ? 64 : 1_024) * PIECE
/** The number of round trips of 100 bytes, one after the other, and of those before the measurement. */
export const TRIPS = isQuick ? 1_000 : 20_000
export const WARM = isQuick ? 200 : 2_000
/** The number of links that are opened and closed, one after the other, and of those before the measurement. */
export const LINKS = isQuick ? 10 : 100
export const WARM_LINKS = isQuick ? 3 : 20
