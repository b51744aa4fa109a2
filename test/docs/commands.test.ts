import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const documents = ['README.md', 'CONTRIBUTING.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)]

interface Line {
  document: string
  text: string
}

/** Returns the lines that a reader types: the lines of fenced and indented shell blocks. */
function shellOf(text: string): string[] {
  const fenced = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block]) => block!.split('\n'))
  const indented = text
    .replaceAll(/^```.*?^```$/gms, '')
    .split('\n')
    .filter(line => line.startsWith('    '))
  return [...indented, ...fenced].map(line => line.trim())
}

const lines: Line[] = documents
  .filter(document => document.endsWith('.md'))
  .flatMap(document => shellOf(readFileSync(join(root, document), 'utf8')).map(text => ({ document, text })))

/** Matches `p2p-worker COMMAND …`: at the start of a line, after npx, in a container, as the compose service `cli`, or within `$( )`. */
const COMMAND = /(?:^|[\s(])(?:p2p-worker|cli) ([a-z]+(?:-[a-z]+)*\b)((?:'[^']*'|"[^"]*"|[^#|>&;)'"])*)/g

function words(text: string): string[] {
  return [...text.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? ''
  )
}

const commands = lines.flatMap(({ document, text }) =>
  [...text.matchAll(COMMAND)].map(([, name, rest]) => ({ document, name: name!, args: words(rest!) }))
)

// A command reads the voters file while it parses its options.
const folder = mkdtempSync(join(tmpdir(), 'p2p-worker-test-'))
const votersFile = join(folder, 'voters.txt')
writeFileSync(votersFile, '')
afterAll(() => rmSync(folder, { recursive: true }))

test('the documents show an example of every command', () => {
  expect(new Set(commands.map(({ name }) => name))).toEqual(
    new Set([
      'join',
      'lead',
      'lock',
      'locks',
      'run',
      'schedule',
      'map',
      'jobs',
      'result',
      'resume',
      'cancel',
      'status',
      'members',
      'top',
      'history',
      'doctor',
      'backup',
      'accept-loss',
      'invite',
      'keygen',
      'id',
      'demo',
      'completion',
      'help'
    ])
  )
})

test.each(commands)('in $document, `p2p-worker $name $args` is a command with existing options', ({ name, args }) => {
  const top = createProgram(() => {}).commands.find(known => known.name() === name)
  const below = top?.commands.find(known => known.name() === args[0])
  const command = top?.commands.length === 0 ? top : below
  expect(command).toBeDefined()
  command!.exitOverride().configureOutput({ writeErr: () => {} })
  const rest = args.slice(below === undefined ? 0 : 1)
  const { operands, unknown } = command!.parseOptions(rest.map(word => (word === 'voters.txt' ? votersFile : word)))
  expect(unknown).toEqual([])
  const most = command!.registeredArguments.at(-1)?.variadic
    ? Number.POSITIVE_INFINITY
    : command!.registeredArguments.length
  expect(operands.length).toBeLessThanOrEqual(most)
})

test('the shell blocks of docs/deploy.md parse', () => {
  const shell = lines.filter(({ document }) => document === 'docs/deploy.md').map(({ text }) => text)
  expect(shell.length).toBeGreaterThan(30)
  execFileSync('bash', ['-n'], { input: shell.join('\n') })
})

test('the files that docs/deploy.md names exist', () => {
  const files = lines
    .filter(({ document }) => document === 'docs/deploy.md')
    .flatMap(({ text }) => [...text.matchAll(/\b(?:examples|deploy)\/[\w.-]+/g)].map(([file]) => file))
  expect(files.length).toBeGreaterThan(3)
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
})
