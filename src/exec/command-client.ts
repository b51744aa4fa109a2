import { type ChildProcess, fork } from 'node:child_process'
import pDefer, { type DeferredPromise } from 'p-defer'
import { environmentWithoutSecrets } from '../common/secrets.ts'
import type { CommandReply, CommandRequest } from './command-server.ts'
import type { CommandEnd } from './run-command.ts'

/** Runs commands in a helper process. The first command starts the helper process. */
export class CommandClient {
  readonly #file: string
  readonly #argument: string
  readonly #waiting = new Map<number, DeferredPromise<CommandEnd>>()
  #child: ChildProcess | undefined
  #id = 0

  /** @param file - the module of the helper process; a process that runs this module with `argument` serves commands */
  constructor(file: string, argument: string) {
    this.#file = file
    this.#argument = argument
  }

  /** Runs a command. Rejects with the signal's reason after an abort, and also when the helper process cannot start or has ended. */
  async run(
    command: string,
    { env, timeout, signal }: { env: NodeJS.ProcessEnv; timeout: number | undefined; signal: AbortSignal }
  ): Promise<CommandEnd> {
    signal.throwIfAborted()
    const id = ++this.#id
    const cancel = (): void => this.#send({ type: 'cancel', id })
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const ended = pDefer<CommandEnd>()
      this.#waiting.set(id, ended)
      this.#send({ type: 'run', id, command, env, timeout })
      return await ended.promise
    } catch (error) {
      signal.throwIfAborted()
      throw error
    } finally {
      this.#waiting.delete(id)
      signal.removeEventListener('abort', cancel)
    }
  }

  #send(request: CommandRequest): void {
    this.#child ??= this.#start()
    this.#child.send(request, error => {
      if (error !== null && request.type === 'run') this.#waiting.get(request.id)?.reject(error)
    })
  }

  #start(): ChildProcess {
    const child = fork(this.#file, [this.#argument], {
      env: environmentWithoutSecrets(),
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc']
    })
    child.on('message', (reply: CommandReply) => {
      if (reply.type === 'ended') this.#waiting.get(reply.id)?.resolve(reply.end)
      else this.#waiting.get(reply.id)?.reject(new Error(`the command ended otherwise: ${reply.message}`))
    })
    const gone = (why: string): void => {
      if (this.#child === child) this.#child = undefined
      for (const { reject } of this.#waiting.values()) reject(new Error(`the process that runs commands ended: ${why}`))
    }
    child.once('error', error => gone(error.message))
    child.once('exit', (code, signal) => gone(signal ?? `exit code ${code}`))
    // The helper process must not keep alive the thread that started the helper process.
    child.unref()
    child.channel?.unref()
    return child
  }
}
