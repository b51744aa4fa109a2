/**
 * The process between a peer and the command of `lead`. When the peer has ended, even by SIGKILL, the channel closes, and
 * the supervisor ends the whole process group of the command. The supervisor does the same when the reported leadership
 * runs out because the peer is paused or too busy to report a longer leadership.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { LeaseClock } from '../election/lease-clock.ts'
import { isGroupAlive, signalGroup } from './signal-group.ts'
import { KILL_MARGIN, now, type Order, type Report, type Supervised } from './supervision.ts'

/** The interval (ms) at which the supervisor reads the clocks: a single timer would fire too late after a suspend of the machine. */
const LOOK_EVERY = 25

const { command, args, grace } = JSON.parse(process.argv[2]!) as Supervised
const clock = new LeaseClock()
/** The end of the leadership, by the elapsed time of `clock`, in ms. */
let endsAt = 0
/** The time (ms) before `endsAt` at which the supervisor asks the command to stop. */
let askBefore = 0
/** The process group of the command; undefined while the command does not run. */
let group: number | undefined
let stopping = false
/** Whether the final report is sent or being sent: then the supervisor starts no command any more. */
let ending = false
let killed = false
let looking: NodeJS.Timeout | undefined

// This process ignores these signals, because the peer decides when the command has to end.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

// When this process ends, the command ends, even if an unexpected error ended this process.
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
  // If this process took long to start, the order may be outdated. Then a newer order or the order to stop follows soon.
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

/** Sends a signal to the process group of the command, even if the command itself has ended and left processes behind. */
function kill(signal: NodeJS.Signals): void {
  if (signal === 'SIGKILL') killed = true
  if (group !== undefined) signalGroup(group, signal)
}

/** Calls `then` when all processes of the group of the command have ended, or when the group has been killed. */
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

/** Sends a report to the peer. Then calls `then`, even if the peer has ended. */
function report(what: Report, then = (): void => {}): void {
  if (process.connected) process.send!(what, then)
  else process.exit()
}
