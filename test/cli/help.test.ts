import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { afterAll, describe, expect, it, test } from 'vitest'
import { commandWords } from '../../src/cli/completion/words.ts'
import { examplesOf, manPage } from '../../src/cli/man-page.ts'
import { commandsBelow, fullName } from '../../src/cli/options/define-command.ts'
import { didYouMean, nearest } from '../../src/cli/options/nearest.ts'
import { createProgram } from '../../src/cli/program.ts'
import { textWidth } from '../../src/cli/terminal/text-width.ts'
import { needs } from '../needs.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const all = createProgram(() => {})
const each = commandsBelow(all).map(command => ({ name: fullName(command), command }))
const leaves = each.filter(({ command }) => command.commands.length === 0)

// Commander reads this file while it parses the options.
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
writeFileSync(join(folder, 'voters.txt'), '')
afterAll(() => rmSync(folder, { recursive: true }))

/** Formats the help of a command for a terminal of 80 columns. */
function helpOf(command: Command): string {
  return command.configureOutput({ getOutHelpWidth: () => 80, getOutHasColors: () => false }).helpInformation()
}

/** The words of each `p2p-worker` command in a line of shell. */
function invocations(line: string): string[][] {
  const inner = [...line.matchAll(/\$\(([^()]*)\)/g)].flatMap(([, text]) => invocations(text!))
  const outer = line.replaceAll(/\$\([^()]*\)/g, 'it')
  const found = outer.matchAll(/(?:^|[\s(])p2p-worker ((?:'[^']*'|"[^"]*"|[^#|<>&;)'"])*)/g)
  const words = [...found].map(([, rest]) =>
    [...rest!.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, single, double, bare]) => single ?? double ?? bare ?? '')
  )
  return [...inner, ...words]
}

/** Parses a command line as the program does, but runs nothing. */
async function parse(words: readonly string[]): Promise<void> {
  const program = createProgram(() => {})
  for (const command of [program, ...commandsBelow(program)]) {
    command
      .exitOverride()
      .configureOutput({ writeErr: () => {}, writeOut: () => {} })
      .allowExcessArguments(false)
    if (command.commands.length === 0) command.action(() => {})
  }
  const [name = '', ...args] = words.map(word => word.replace('voters.txt', join(folder, 'voters.txt')))
  const command = program.commands.find(known => known.name() === name)
  if (command === undefined) throw new Error(`no command ${name}`)
  await command.parseAsync(args, { from: 'user' })
}

describe.each(each)('$name --help', ({ name, command }) => {
  it('the help contains a summary without a full stop and a description in whole sentences', () => {
    expect(command.summary()).toMatch(/^[a-z].*[^.]$/)
    expect(command.description()).toMatch(/^[A-Z].*\.$/s)
  })

  it('the help has examples, and each of them parses', async () => {
    const examples = examplesOf(command)
    expect(examples.flatMap(invocations).map(words => `${words.join(' ')} `.startsWith(`${name} `))).toContain(true)
    for (const line of examples) for (const words of invocations(line)) await parse(words)
  })

  it('the help describes every argument, and every option with its environment variable', () => {
    for (const argument of command.registeredArguments) expect(argument.description).not.toBe('')
    for (const { long, description, envVar } of command.options) {
      expect([long, description]).toEqual([long, expect.stringMatching(/\w{3}/)])
      expect(envVar).toBe(`P2P_WORKER_${long!.slice(2).toUpperCase().replaceAll('-', '_')}`)
    }
  })

  it('the help names each choice of an option', () => {
    for (const { long, description, argChoices = [] } of command.options) {
      for (const choice of argChoices) expect(`${long} ${description}`).toContain(choice)
    }
  })

  it('the help is at most 80 columns wide', () => {
    for (const line of `${helpOf(command)}`.split('\n')) expect([line, textWidth(line) <= 80]).toEqual([line, true])
    for (const line of examplesOf(command)) expect([line, textWidth(line) <= 76]).toEqual([line, true])
  })
})

test('the help of the program names all commands and is at most 80 columns wide', () => {
  const text = execFileSync(process.execPath, [join(root, 'dist/cli/main.js'), '--help'], { encoding: 'utf8' })
  for (const command of all.commands) expect(text).toMatch(new RegExp(`^ {2}${command.name()} `, 'm'))
  for (const line of text.split('\n')) expect([line, textWidth(line) <= 80]).toEqual([line, true])
  expect(text).toContain('man p2p-worker')
})

describe.each(leaves)('the options of $name', ({ name, command }) => {
  const shared = /^(?:Who leads|What tasks may do|Which cluster|Diagnostics)/

  it('the options of a command precede the shared groups in the help and the man page', () => {
    const headings = [...helpOf(command).matchAll(/^\w.*:$/gm)].map(([heading]) => heading)
    const own = headings.indexOf('Options:')
    expect(own).toBeGreaterThanOrEqual(0)
    expect(headings.findIndex(heading => shared.test(heading)) + 1 || Number.POSITIVE_INFINITY).toBeGreaterThan(own + 1)
    const page = manPage(createProgram(() => {}))
    const title = `"p2p\\-worker ${name.replaceAll('-', '\\-')} `
    const section = page.split('.SS ').find(text => text.startsWith(title))
    const groups = [...section!.matchAll(/^\.I (.*:)$/gm)].map(([, group]) => group!)
    expect([...groups, 'Options:'][0]).toBe('Options:')
  })
})

describe('the man page', () => {
  const page = manPage(createProgram(() => {}))

  it('the man page has every command, option, variable and example', () => {
    const signs: Record<string, string> = {
      '-': '-',
      '(aq': "'",
      '(dq': '"',
      '(ga': '`',
      '(ti': '~',
      '(ha': '^',
      e: '\\'
    }
    const plain = page.replaceAll(/\\(-|\(..|e)/g, (_, name: string) => signs[name]!)
    for (const { name, command } of leaves) {
      expect(plain).toContain(`.SS "p2p-worker ${name} `)
      for (const { flags } of command.options) expect(plain).toContain(`.B ${flags}`)
      for (const { envVar } of command.options) expect(plain).toContain(`Environment: ${envVar}.`)
      for (const example of examplesOf(command)) expect(plain).toContain(`$ ${example}`)
    }
  })

  it('the man page of the current commands equals the file that the build has written', () => {
    expect(readFileSync(join(root, 'man/p2p-worker.1'), 'utf8')).toBe(page)
  })

  const formatters = { groff: ['-man', '-ww', '-z', '-'], man: ['--warnings', '-l', '-'] } as const
  for (const program of ['groff', 'man'] as const) {
    needs(program).it(`renders in ${program} without a warning`, () => {
      const env = { ...process.env, MANPAGER: 'cat', MANROFFOPT: '' }
      const command = ['-c', '"$@" 2>&1 >/dev/null', 'sh', program, ...formatters[program]]
      // groff writes its warnings to stderr, which the command joins with stdout.
      expect(execFileSync('sh', command, { input: page, env }).toString()).toBe('')
    })
  }
})

describe('the nearest word', () => {
  it.each([
    ['wroker', ['auto', 'leader', 'worker'], ['worker']],
    ['LAN', ['local', 'lan', 'wan'], ['lan']],
    ['thred', ['thread', 'process'], ['thread']],
    ['wat', ['local', 'lan', 'wan'], ['wan']],
    ['proc', ['thread', 'process'], ['process']],
    ['boss', ['auto', 'leader', 'worker'], []],
    ['x', ['auto', 'leader'], []]
  ])('the nearest word to %s of %j is %j', (word, candidates, found) => {
    expect(nearest(word, candidates)).toEqual(found)
  })

  it('didYouMean asks for the nearest word in a sentence', () => {
    expect(didYouMean('joim', ['join', 'jobs'])).toBe(' Did you mean join?')
    expect(didYouMean('xan', ['lan', 'wan'])).toBe(' Did you mean one of lan, wan?')
    expect(didYouMean('frobnicate', ['join'])).toBe('')
  })
})

test('completion knows which values are files, folders, programs and words', () => {
  const words = commandWords(createProgram(() => {}))
  const option = (command: string, long: string) =>
    words.find(({ name }) => name === command)?.options.find(({ names }) => names.includes(long))
  expect(option('join', '--key-file')?.value).toEqual({ kind: 'file' })
  expect(option('join', '--data-dir')?.value).toEqual({ kind: 'folder' })
  expect(option('join', '--profile')?.value).toEqual({ kind: 'word', words: ['local', 'lan', 'wan'] })
  expect(option('join', '--no-mdns')?.value).toBeUndefined()
  expect(option('join', '--bootstrap')).toMatchObject({ value: { kind: 'any' }, repeats: true })
  expect(option('map', '--exec')?.value).toEqual({ kind: 'any' })
  expect(option('run', '--local')?.value).toBeUndefined()
  const first = (command: string) => words.find(({ name }) => name === command)?.arguments[0]?.value
  expect(['run', 'lead', 'result'].map(first)).toEqual([{ kind: 'file' }, { kind: 'program' }, { kind: 'any' }])
  expect(first('schedule')).toEqual({ kind: 'word', words: ['add', 'list', 'remove', 'pause', 'resume', 'run'] })
  expect(option('schedule add', '--overlap')?.value).toEqual({ kind: 'word', words: ['skip', 'queue', 'allow'] })
  expect(first('help')).toMatchObject({ kind: 'word', words: expect.arrayContaining(['join', 'completion']) })
})
