import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { allBlocks, documentPaths, root } from './blocks/block.ts'

/** The blocks marked `ts`. Each block is a file in the root of the repository whose name contains the document and line of the block. */
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

/** Returns the anchors of a document: the HTML anchors, and the anchors that GitHub derives from the headings. */
function anchorsOf(document: string): Set<string> {
  const text = readFileSync(document, 'utf8').replaceAll(/^```.*?^```$/gms, '')
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id))
  for (const [, title = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const words = title
      .trim()
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const slug = words.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
    let anchor = slug
    for (let number = 1; anchors.has(anchor); number++) anchor = `${slug}-${number}`
    anchors.add(anchor)
  }
  return anchors
}

const reference = readdirSync(join(root, 'docs/api'), { recursive: true, encoding: 'utf8' })
const linking = [...documentPaths(), 'CHANGELOG.md', ...reference.map(name => join('docs/api', name))]

test.each(linking.filter(path => path.endsWith('.md')))(
  'every link and picture of %s leads to an existing file and anchor',
  document => {
    const text = readFileSync(join(root, document), 'utf8').replaceAll(/^```.*?^```$/gms, '')
    const links = [...text.matchAll(/\]\((?!\w+:)([^)\s]+)/g), ...text.matchAll(/\b(?:src|srcset)="(?!\w+:)([^"]+)"/g)]
    const broken = links.flatMap(([, link = '']) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? join(root, document) : join(root, document, '..', path)
      if (!existsSync(target)) return [link]
      return anchor === undefined || !target.endsWith('.md') || anchorsOf(target).has(anchor) ? [] : [link]
    })
    expect(broken).toEqual([])
  }
)
