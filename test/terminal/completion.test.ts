import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { needs } from '../needs.ts'
import { Terminal } from './terminal.ts'

/** The script that the package bash-completion installs. */
const BASH_COMPLETION = '/usr/share/bash-completion/bash_completion'

let terminal: Terminal | undefined
afterEach(() => terminal?.stop())

/** Starts a terminal in a folder that contains a file and a folder, whose names the shell can complete. */
async function startIn(shell: string[], env: Record<string, string> = {}): Promise<Terminal> {
  terminal = await Terminal.start({ columns: 100, rows: 40, command: shell, env })
  await mkdir(join(terminal.home, 'work', 'tasks-folder'), { recursive: true })
  await writeFile(join(terminal.home, 'work', 'word-count.ts'), '')
  await terminal.enter(`cd '${terminal.home}/work'`)
  return terminal
}

/** Types a line, presses Tab, waits for the completion, and clears the line and the screen. */
async function tab(on: Terminal, typed: string, shows: string | RegExp, times = 1): Promise<string> {
  await on.type(typed)
  // Waits for the typed text before Tab, because the shell may otherwise read the text and Tab as one input.
  await on.waitFor(typed.trimEnd())
  for (let time = 0; time < times; time++) await on.press('Tab')
  const screen = await on.waitFor(shows)
  await on.press('C-u', 'C-l')
  await on.waitFor(text => !text.includes(typed.trim()))
  return screen
}

needs('tmux', 'bash').describe('bash', () => {
  async function completes(prepare: string): Promise<void> {
    const shell = await startIn(['bash', '--noprofile', '--norc'])
    await shell.enter(prepare)
    await shell.enter('source <(p2p-worker completion bash); echo "loaded $?"')
    await shell.waitFor('loaded 0')
    await shell.press('C-l')
    await tab(shell, 'p2p-worker sta', '$ p2p-worker status')
    await tab(shell, 'p2p-worker jo', /^jobs +join|^join +jobs/m, 2)
    await tab(shell, 'p2p-worker join --boo', '--bootstrap')
    await tab(shell, 'p2p-worker join --role w', '--role worker')
    await tab(shell, 'p2p-worker join --role=l', '--role=leader')
    await tab(shell, 'p2p-worker join --key-file wor', '--key-file word-count.ts')
    await tab(shell, 'p2p-worker join --data-dir ta', '--data-dir tasks-folder/')
    await tab(shell, 'p2p-worker run --retries 3 wor', '3 word-count.ts')
    await tab(shell, 'p2p-worker run --local 2 wor', '2 word-count.ts')
    await tab(shell, 'p2p-worker help memb', 'help members')
    await tab(shell, 'p2p-worker completion z', 'completion zsh')
    await tab(shell, 'p2p-worker lead -- tmu', 'lead -- tmux')
    await tab(shell, 'p2p-worker lead --grace 3s -- cat wor', 'cat word-count.ts')
    await tab(shell, 'p2p-worker schedule pau', 'schedule pause')
    await tab(shell, 'p2p-worker schedule add --over', '--overlap')
    await tab(shell, "p2p-worker schedule add x '0 3 * * *' wor", 'word-count.ts')
  }

  it('bash completes commands, options, values and files without the package bash-completion', () => completes(':'))

  const packaged = needs('bash-completion')
  packaged.it('bash completes commands, options, values and files with the package bash-completion', () =>
    completes(`source ${BASH_COMPLETION}`)
  )

  packaged.it('bash-completion loads the completion of p2p-worker from the completions folder on demand', async () => {
    const shell = await startIn(['bash', '--noprofile', '--norc'])
    const folder = '~/.local/share/bash-completion/completions'
    await shell.enter(`source ${BASH_COMPLETION}; mkdir -p ${folder}`)
    await shell.enter(`p2p-worker completion bash > ${folder}/p2p-worker; echo "written $?"`)
    await shell.waitFor('written 0')
    await shell.press('C-l')
    await tab(shell, 'p2p-worker hist', '$ p2p-worker history')
  })
})

needs('tmux', 'zsh').describe('zsh', () => {
  it('zsh completes commands, options, values and files, with descriptions', async () => {
    const shell = await startIn(['zsh', '-f'], { PROMPT: '$ ' })
    await shell.enter('autoload -U compinit; compinit -D -u; source <(p2p-worker completion zsh); echo "loaded $?"')
    await shell.waitFor('loaded 0')
    await shell.press('C-l')
    await tab(shell, 'p2p-worker sta', '$ p2p-worker status')
    await tab(shell, 'p2p-worker jo', /^jobs +-- show the jobs$/m)
    await tab(shell, 'p2p-worker join --boo', '--bootstrap')
    await tab(shell, 'p2p-worker members --wa', /^--wait +-- how long to look for the cluster/m)
    await tab(shell, 'p2p-worker join --role w', '--role worker')
    await tab(shell, 'p2p-worker join --role=l', '--role=leader')
    await tab(shell, 'p2p-worker join --key-file wor', '--key-file word-count.ts')
    await tab(shell, 'p2p-worker join --data-dir ta', '--data-dir tasks-folder/')
    await tab(shell, 'p2p-worker run --retries 3 wor', '3 word-count.ts')
    await tab(shell, 'p2p-worker run --local 2 wor', '2 word-count.ts')
    await tab(shell, 'p2p-worker help memb', 'help members')
    await tab(shell, 'p2p-worker completion f', 'completion fish')
    await tab(shell, 'p2p-worker lead -- tmu', 'lead -- tmux')
    await tab(shell, 'p2p-worker schedule pau', 'schedule pause')
    await tab(shell, 'p2p-worker schedule add --over', '--overlap')
    await tab(shell, "p2p-worker schedule add x '0 3 * * *' wor", 'word-count.ts')
  })

  it('zsh loads the completion of p2p-worker from a folder of fpath on demand', async () => {
    const shell = await startIn(['zsh', '-f'], { PROMPT: '$ ' })
    await shell.enter('mkdir -p ~/functions; p2p-worker completion zsh > ~/functions/_p2p-worker; echo "written $?"')
    await shell.waitFor('written 0')
    await shell.enter('fpath=(~/functions $fpath); autoload -U compinit; compinit -D -u; echo "loaded $?"')
    await shell.waitFor('loaded 0')
    await shell.press('C-l')
    await tab(shell, 'p2p-worker hist', '$ p2p-worker history')
    await tab(shell, 'p2p-worker join --isolation p', '--isolation process')
  })
})

needs('tmux', 'bash', 'fish').describe('fish', () => {
  it('fish completes commands, options, values and files, with descriptions', async () => {
    const shell = await startIn(['fish', '--no-config'])
    await shell.enter(
      'function fish_prompt; echo "\\$ "; end; p2p-worker completion fish | source; echo "loaded $status"'
    )
    await shell.waitFor('loaded 0')
    await shell.press('C-l')
    await tab(shell, 'p2p-worker sta', '$ p2p-worker status')
    await tab(shell, 'p2p-worker jo', /jobs +\(show the jobs\)/)
    await tab(shell, 'p2p-worker join --boo', '--bootstrap')
    await tab(shell, 'p2p-worker members --w', /--wait +\(how long to look for/)
    await tab(shell, 'p2p-worker join --role w', '--role worker')
    await tab(shell, 'p2p-worker join --role=l', '--role=leader')
    await tab(shell, 'p2p-worker join --key-file wor', '--key-file word-count.ts')
    await tab(shell, 'p2p-worker join --data-dir ta', '--data-dir tasks-folder/')
    await tab(shell, 'p2p-worker run --retries 3 wor', '3 word-count.ts')
    await tab(shell, 'p2p-worker run --local 2 wor', '2 word-count.ts')
    await tab(shell, 'p2p-worker help memb', 'help members')
    await tab(shell, 'p2p-worker completion z', 'completion zsh')
    await tab(shell, 'p2p-worker lead -- tmu', 'lead -- tmux')
    await tab(shell, 'p2p-worker schedule pau', 'schedule pause')
    await tab(shell, 'p2p-worker schedule add --over', '--overlap')
    await tab(shell, "p2p-worker schedule add x '0 3 * * *' wor", 'word-count.ts')
  })

  it('fish loads the completion of p2p-worker from the completions folder on demand', async () => {
    const shell = await startIn(['bash', '--noprofile', '--norc'])
    await shell.enter('mkdir -p ~/.config/fish/completions')
    await shell.enter('p2p-worker completion fish > ~/.config/fish/completions/p2p-worker.fish; echo "written $?"')
    await shell.waitFor('written 0')
    expect(await readFile(join(shell.home, '.config/fish/completions/p2p-worker.fish'), 'utf8')).toContain('complete')
    await shell.enter('clear; exec fish')
    await shell.waitFor(/Welcome to fish/)
    await shell.press('C-l')
    await shell.waitFor(text => !text.includes('Welcome'))
    await tab(shell, 'p2p-worker hist', 'p2p-worker history')
  })
})
