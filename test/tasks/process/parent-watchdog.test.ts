import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ParentWatchdog } from '../../../src/tasks/process/parent-watchdog.ts'

/** Starts a process that waits, in a process group of its own. */
function waiting(): ChildProcess {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore', detached: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The pids of the watchdog shells that this process has started. */
function shells(): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        const isOurs = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(process.pid)
        return isOurs && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('while read -r op group')
      } catch {
        return false
      }
    })
    .map(Number)
}

describe.runIf(process.platform === 'linux')('the parent watchdog', () => {
  it('when the watchdog stops, it kills exactly the process groups that are still registered', async () => {
    const [kept, let_go] = [waiting(), waiting()]
    const guard = new ParentWatchdog()
    guard.add(kept.pid!)
    guard.add(let_go.pid!)
    guard.remove(let_go.pid!)
    const ended = once(kept, 'exit')
    await guard.stop()
    expect((await ended)[1]).toBe('SIGKILL')
    expect(let_go.exitCode ?? let_go.signalCode).toBe(null)
    expect(shells()).toEqual([])
  })

  it('the watchdog replaces a shell that was killed, and keeps the registered process groups', async () => {
    const child = waiting()
    const guard = new ParentWatchdog()
    guard.add(child.pid!)
    const [first] = shells()
    process.kill(first!, 'SIGKILL')
    await expect.poll(() => shells().filter(pid => pid !== first)).toHaveLength(1)
    const ended = once(child, 'exit')
    await guard.stop()
    expect((await ended)[1]).toBe('SIGKILL')
  })
})
