// Marks every few milliseconds that this process runs, by the monotonic clock that all processes of the machine share:
//
//     node test/stores/marker.mjs FOLDER
//
// Each process writes a file of its own, named after its epoch and its PID.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

const file = join(process.argv[2], `${process.env.P2P_WORKER_EPOCH}-${process.pid}`)
const mark = () => appendFileSync(file, `${process.hrtime.bigint()}\n`)
mark()
setInterval(mark, 2)
