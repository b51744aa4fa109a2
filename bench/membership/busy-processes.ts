import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'

/** Processes that only use processor time, to simulate an overloaded machine. */
export class BusyProcesses {
  readonly #children: ChildProcess[]

  constructor(count: number) {
    this.#children = Array.from({ length: count }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    )
  }

  async stop(): Promise<void> {
    const running = this.#children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    const exited = running.map(child => once(child, 'exit'))
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(exited)
  }
}
