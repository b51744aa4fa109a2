/** Runs the built command line as a user does. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const mainFile = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

/** The environment of a user without any settings. */
export function bareEnvironment(home: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const { PATH } = process.env
  return { PATH, HOME: home, P2P_WORKER_HOME: home, ...more }
}

export interface Running {
  child: ChildProcess
  finished: Promise<Finished>
}

/**
 * @param endInput - whether the stdin of the command ends at once, as for a service
 * @param cwd - the folder in which the command starts
 */
export function start(args: string[], environment: NodeJS.ProcessEnv, endInput = true, cwd?: string): Running {
  const child = spawn(process.execPath, [mainFile, ...args], { env: environment, cwd })
  const finished = new Promise<Finished>((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data: Buffer) => {
      stdout += data
    })
    child.stderr.on('data', (data: Buffer) => {
      stderr += data
    })
    child.once('error', reject)
    child.once('close', code => resolve({ code, stdout, stderr }))
  })
  if (endInput) child.stdin.end()
  return { child, finished }
}

export function cli(args: string[], environment: NodeJS.ProcessEnv): Promise<Finished> {
  return start(args, environment).finished
}
