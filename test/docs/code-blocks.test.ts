import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { allBlocks, documentPaths, root } from './blocks/block.ts'

/** Each block marked `ts`, as a file of its own in the root, as in a clone, named after the line where it begins. */
const blocks = new Map(
  allBlocks()
    .filter(({ language }) => language === 'ts')
    .map(({ document, line, text }) => [join(root, `${document.replaceAll('/', '-')}.${line}.ts`), text] as const)
)

test('the TypeScript in the documents and in TSDoc compiles', { timeout: 60_000 }, () => {
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
  for (const document of documentPaths().filter(path => path.endsWith('.md'))) {
    const text = readFileSync(join(root, document), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!\w+:)([^)#]+)/g)) {
      expect(existsSync(join(root, document, '..', target)), `${document} links to ${target}`).toBe(true)
    }
  }
})
