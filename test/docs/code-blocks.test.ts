import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'))
    .filter(name => name.endsWith('.md'))
    .map(name => `docs/${name}`)
]

/** Each block marked `ts`, as a file of its own beside its document, named after the line where it begins. */
const blocks = new Map(
  documents.flatMap(document => {
    const text = readFileSync(join(root, document), 'utf8')
    return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(match => {
      const line = text.slice(0, match.index).split('\n').length
      return [join(root, `${document}.${line}.ts`), match[1] ?? ''] as const
    })
  })
)

test('the TypeScript in README.md and docs/ compiles', { timeout: 60_000 }, () => {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: diagnostic => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n'))
      }
    }
  )
  if (config === undefined) throw new Error('tsconfig.json cannot be read')
  const host = ts.createCompilerHost(config.options)
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = path => blocks.has(path) || fileExists(path)
  host.readFile = path => blocks.get(path) ?? readFile(path)
  host.getSourceFile = (path, options, ...rest) => {
    const block = blocks.get(path)
    return block === undefined ? getSourceFile(path, options, ...rest) : ts.createSourceFile(path, block, options)
  }

  const program = ts.createProgram([...blocks.keys()], config.options, host)
  const found = [...blocks.keys()].flatMap(path => {
    const source = program.getSourceFile(path)
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
  })
  expect(ts.formatDiagnostics(found, { ...host, getCurrentDirectory: () => root })).toBe('')
  expect(blocks.size).toBeGreaterThan(0)
})

test('every link from a document to a file leads to one', () => {
  for (const document of documents) {
    const text = readFileSync(join(root, document), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!\w+:)([^)#]+)/g)) {
      expect(existsSync(join(root, document, '..', target)), `${document} links to ${target}`).toBe(true)
    }
  }
})
