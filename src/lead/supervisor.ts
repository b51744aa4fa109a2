/**
 * The process between a peer and the command that it leads with. It ends the command, and all processes of its group, when the
 * peer is gone, SIGKILL included (their channel closes), and when the last time passes that the leadership was said to
 * last, because the peer is paused or too busy to say more.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { LeaseClock } from '../election/lease-clock.ts'
import { isGroupAlive, signalGroup } from './signal-group.ts'
import { KILL_MARGIN, now, type Order, type Report, type Supervised } from './supervision.ts'

/** How often the clocks are looked at, in ms: after a suspend no timer knows how late it is. */
const LOOK_EVERY = 25

const { command, args, grace } = JSON.parse(process.argv[2]!) as Supervised
const clock = new LeaseClock()
/** Until when the leadership lasts, by the elapsed time of `clock`. */
let endsAt = 0
/** So long before that the command is asked to stop. */
let askBefore = 0
/** The command's process group, while there is one. */
let group: number | undefined
let stopping = false
/** What is to be said has been, or is being said: nothing begins any more. */
let ending = false
let killed = false
let looking: NodeJS.Timeout | undefined

// When the command has to go is the peer's decision.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

// However this process ends by itself, an error that nobody expected included, the command ends with it.
process.on('exit', () => kill('SIGKILL'))
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => {
  if (order.type === 'stop') stop()
  else {
    endsAt = clock.times().elapsed + order.remaining - (now() - order.at)
    askBefore = order.askBefore
    if (group === undefined && !stopping && !ending) begin()
  }
})

function begin(): void {
  // This process may have taken so long to start that the order is old: then a newer one is on its way, or the order to stop.
  if (endsAt - clock.times().elapsed <= askBefore) return
  let child: ChildProcess
  try {
    child = spawn(command, args, { stdio: 'inherit', detached: true })
  } catch (error) {
    failed(error as NodeJS.ErrnoException)
    return
  }
  child.once('error', failed)
  child.once('exit', (code, signal) => {
    const exited: Report = { type: 'exited', code, signal, stopped: stopping }
    if (stopping) whenGone(() => end(exited))
    else end(exited)
  })
  group = child.pid
  if (group !== undefined) report({ type: 'started', pid: group })
  looking = setInterval(look, LOOK_EVERY)
}

function look(): void {
  const left = endsAt - clock.times().elapsed
  if (left <= KILL_MARGIN) {
    stopping = true
    kill('SIGKILL')
  } else if (left <= askBefore) stop()
}

function stop(): void {
  if (stopping) return
  stopping = true
  if (group === undefined) {
    end({ type: 'exited', code: null, signal: null, stopped: true })
    return
  }
  kill('SIGTERM')
  setTimeout(() => kill('SIGKILL'), grace)
}

/** The command's whole group, also when the command itself has ended and left others behind. */
function kill(signal: NodeJS.Signals): void {
  if (signal === 'SIGKILL') killed = true
  if (group !== undefined) signalGroup(group, signal)
}

/** Waits for those whom the command has left behind: they have its grace, too. */
function whenGone(then: () => void): void {
  if (group !== undefined && !killed && isGroupAlive(group)) setTimeout(() => whenGone(then), LOOK_EVERY)
  else then()
}

function failed(error: NodeJS.ErrnoException): void {
  end({ type: 'failed', code: error.code ?? 'unknown', message: error.message })
}

function end(last: Report): void {
  if (ending) return
  ending = true
  clearInterval(looking)
  kill('SIGKILL')
  report(last, () => process.exit())
}

/** `then`, also when nobody is left to hear it. */
function report(what: Report, then = (): void => {}): void {
  if (process.connected) process.send!(what, then)
  else process.exit()
}
