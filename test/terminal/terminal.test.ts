import { existsSync } from 'node:fs'
import { afterEach, expect, it } from 'vitest'
import { needs } from '../needs.ts'
import { Terminal } from './terminal.ts'

let terminal: Terminal | undefined
afterEach(() => terminal?.stop())

needs('tmux', 'bash').describe('a terminal', () => {
  it('a terminal of the requested size shows typed and printed text, and removes its home folder when it stops', async () => {
    terminal = await Terminal.start({ columns: 61, rows: 7 })
    await terminal.enter('stty size; echo "$TERM:$CI"')
    expect(await terminal.waitFor('screen-256color:')).toContain('7 61')
    await terminal.resize(90, 20)
    await terminal.enter('clear; stty size')
    await terminal.waitFor('20 90')
    await terminal.stop()
    expect(existsSync(terminal.home)).toBe(false)
  })

  it('a terminal has p2p-worker in its PATH, and shows the colours of the output', async () => {
    terminal = await Terminal.start()
    await terminal.enter('p2p-worker status --wait 10ms; echo "code $?"')
    await terminal.waitFor('code 3')
    // The escape sequence for a colour ends in "m".
    expect(await terminal.coloured()).toMatch(/\[[\d;]+merror:/)
  })
})
