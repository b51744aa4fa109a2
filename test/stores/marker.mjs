// Marks every few milliseconds that this process runs, by the monotonic clock that all processes of the machine share:
//
//     node test/stores/marker.mjs FOLDER [MS]
//
// Each process writes a file of its own, named after its fencing token or epoch and its PID. After MS milliseconds it ends.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

const { P2P_WORKER_FENCE, P2P_WORKER_EPOCH } = process.env
const [, , folder, ms] = process.argv
const file = join(folder, `${P2P_WORKER_FENCE ?? P2P_WORKER_EPOCH}-${process.pid}`)
const mark = () => appendFileSync(file, `${process.hrtime.bigint()}\n`)
mark()
setInterval(mark, 2)
if (ms !== undefined) setTimeout(() => process.exit(), Number(ms))
