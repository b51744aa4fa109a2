import { bashScript } from '../completion/bash.ts'
import { fishScript } from '../completion/fish.ts'
import { zshScript } from '../completion/zsh.ts'
import { exitCodes } from '../exit-codes.ts'
import { createProgram } from '../program.ts'
import { print } from '../terminal/output.ts'

export const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** Prints the completion script of a shell. */
export async function completion(shell: keyof typeof SCRIPTS): Promise<number> {
  await print(SCRIPTS[shell](createProgram(() => {})).trimEnd())
  return exitCodes.done
}
