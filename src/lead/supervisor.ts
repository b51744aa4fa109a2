/**
 * The process between a peer and the command that it leads with. It ends the command, and all processes of its group, when the
 * peer is gone, SIGKILL included (their channel closes), and when the last time passes that the leadership was said to
 * last, because the peer is paused or too busy to say more.
 */
import { spawn } from 'node:child_process'
import { LeaseClock } from '../election/lease-clock.ts'
import { KILL_MARGIN, now, type Order, type Report, type Supervised } from './supervision.ts'

/** How often the clocks are looked at, in ms: after a suspend no timer knows how late it is. */
const LOOK_EVERY = 25

const { command, args, grace } = JSON.parse(process.argv[2]!) as Supervised
const clock = new LeaseClock()
/** By the elapsed time of `clock`. Until the first order: as long as it takes to come. */
let endsAt = clock.times().elapsed + 2_000
/** So long before that it is asked to stop. */
let askBefore = 0
let stopping = false

// The terminal sends these to the whole group; when the command has to go is the peer's decision.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

const child = spawn(command, args, { stdio: 'inherit', detached: true })
const looking = setInterval(look, LOOK_EVERY)
child.once('error', (error: NodeJS.ErrnoException) => {
  end({ type: 'failed', code: error.code ?? 'unknown', message: error.message })
})
child.once('exit', (code, signal) => end({ type: 'exited', code, signal, stopped: stopping }))
process.on('disconnect', () => {
  kill('SIGKILL')
  process.exit()
})
process.on('message', (order: Order) => {
  if (order.type === 'stop') stop()
  else {
    endsAt = clock.times().elapsed + order.remaining - (now() - order.at)
    askBefore = order.grace
  }
})

function look(): void {
  const left = endsAt - clock.times().elapsed
  if (left <= KILL_MARGIN) killInTime()
  else if (left <= askBefore) stop()
}

function killInTime(): void {
  stopping = true
  kill('SIGKILL')
}

function stop(): void {
  if (stopping) return
  stopping = true
  kill('SIGTERM')
  setTimeout(() => kill('SIGKILL'), Math.max(0, grace - KILL_MARGIN))
}

/** The command's whole group, also when the command itself has ended and left others behind. */
function kill(signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function end(report: Report): void {
  clearInterval(looking)
  kill('SIGKILL')
  process.send?.(report, () => process.exit())
}
