import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { afterEach, describe, expect, it } from 'vitest'
import { root } from '../cluster/processes.ts'
import { needs } from '../needs.ts'
import { ansiToHtml } from './ansi-html.ts'

needs('chromium', 'tmux').describe('npm run pictures', () => {
  let folder: string

  afterEach(async () => await rm(folder, { recursive: true, force: true }))

  it('the script makes pictures of the dashboard and of `top`, and each picture has less than 200 kB', async () => {
    folder = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    const script = join(root, 'scripts', 'pictures.mjs')
    const child = spawn(process.execPath, [script, '--quick', '--to', folder], { stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', data => {
      said += data
    })
    const [code] = await once(child, 'close')
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('top.png') })
    const sizes: Record<string, number[]> = {}
    for (const name of await readdir(folder)) {
      const file = await readFile(join(folder, name))
      expect(file.length).toBeLessThan(200_000)
      const { width, height, data } = decode(file)
      sizes[name] = [width, height]
      // The decoded data are palette indices, so many different values mean that the picture is not blank.
      expect(new Set(data).size).toBeGreaterThan(20)
    }
    expect(sizes).toEqual({
      'dashboard-light.png': [1_280, 1_480],
      'dashboard-dark.png': [1_280, 1_480],
      'dashboard-phone.png': [390, 844],
      'top.png': [expect.any(Number), expect.any(Number)]
    })
    expect(sizes['top.png']![0]).toBeGreaterThan(800)
    expect(sizes['top.png']![1]).toBeGreaterThan(400)
  })
})

describe('a terminal as HTML', () => {
  const escapeCode = String.fromCharCode(27)
  const bodyOf = (screen: string): string => /<pre[^>]*>(.*)<\/pre>/s.exec(ansiToHtml(screen))![1]!

  it('the HTML contains the escaped text of the terminal', () => {
    expect(bodyOf('a <b> & c\n')).toBe('a &lt;b> &amp; c\n')
  })

  it.each([
    ['1', 'font-weight:bold'],
    ['38;5;196', 'color:rgb(255,0,0)'],
    ['38;5;244', 'color:rgb(128,128,128)'],
    ['48;2;1;2;3', 'background:rgb(1,2,3)'],
    ['1;4;38;5;21', 'color:rgb(0,0,255);font-weight:bold;text-decoration:underline'],
    ['7', 'color:#16181d;background:#c8ccd4'],
    ['38;5;196;7', 'color:#16181d;background:rgb(255,0,0)']
  ])('the HTML applies the style of SGR %s until the reset', (codes, style) => {
    expect(bodyOf(`a${escapeCode}[${codes}mb${escapeCode}[0mc`)).toBe(`a<span style="${style}">b</span>c`)
  })
})
