/** Reads the blocks of commands, code and output from the documents and from the TSDoc of the sources. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The notes that a comment before a block may contain: `<!-- key: value; key: value -->`. CONTRIBUTING.md explains each note. */
export const NOTES = ['run', 'until', 'host', 'file', 'exit', 'terminal', 'exact'] as const
export type NoteName = (typeof NOTES)[number]

export interface Block {
  /** The path of the document, from the root of the repository. */
  document: string
  /** The line of the fence, or of the first command of an indented block. */
  line: number
  /** The word after the fence. The language is empty without a word, and is `sh` for an indented block. */
  language: string
  text: string
  notes: Readonly<Partial<Record<NoteName, string>>>
}

/** Returns the paths of all documents and of the sources with TSDoc. Leaves out docs/api/, which is generated from the TSDoc. */
export function documentPaths(): string[] {
  const list = (folder: string): string[] => readdirSync(join(root, folder), { encoding: 'utf8' })
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  return [
    ...['.', 'docs', 'examples'].flatMap(folder =>
      list(folder)
        .filter(name => name.endsWith('.md') && name !== 'CHANGELOG.md')
        .map(name => join(folder, name))
    ),
    ...sources.filter(name => /\.tsx?$/.test(name)).map(name => join('src', name))
  ].sort()
}

/** Returns the blocks of all documents and sources, in order. */
export function allBlocks(): Block[] {
  return documentPaths().flatMap(path => {
    const text = readFileSync(join(root, path), 'utf8')
    return path.endsWith('.md') ? blocksOf(path, text) : blocksOf(path, commentsOf(text), { indented: false })
  })
}

/** Returns the TSDoc of a source without the stars. All other lines become empty, so that line numbers stay the same. */
function commentsOf(source: string): string {
  let inside = false
  return source
    .split('\n')
    .map(line => {
      inside ||= /^\s*\/\*\*/.test(line)
      const text = inside ? line.replace(/^\s*\/?\*+\/? ?/, '') : ''
      if (line.includes('*/')) inside = false
      return text
    })
    .join('\n')
}

/** Returns the blocks of one document. */
export function blocksOf(document: string, text: string, { indented = true } = {}): Block[] {
  const lines = text.split('\n')
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    const fence = /^( *)(`{3,})(.*)$/.exec(lines[at]!)
    const begin = at
    if (fence !== null) {
      const [, indent = '', ticks = '', language = ''] = fence
      do at++
      while (at < lines.length && lines[at]!.trim() !== ticks)
      const body = lines.slice(begin + 1, at).map(line => line.slice(Math.min(indent.length, indentOf(line))))
      at++
      blocks.push({
        document,
        line: begin + 1,
        language: language.trim(),
        text: body.join('\n'),
        notes: notesBefore(lines, begin)
      })
    } else if (indented && /^ {4}\S/.test(lines[at]!) && (lines[at - 1] ?? '') === '') {
      while (at < lines.length && /^( {4}.*|)$/.test(lines[at]!)) at++
      const body = lines.slice(begin, at).map(line => line.slice(4))
      blocks.push({
        document,
        line: begin + 1,
        language: 'sh',
        text: body.join('\n').trimEnd(),
        notes: notesBefore(lines, begin)
      })
    } else at++
  }
  return blocks
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Returns the notes of the comment before a block. An empty line between the comment and the block is allowed. */
function notesBefore(lines: string[], begin: number): Block['notes'] {
  const before = lines[begin - 1]?.trim() === '' ? lines[begin - 2] : lines[begin - 1]
  const [, comment] = /^\s*<!--(.*)-->\s*$/.exec(before ?? '') ?? []
  if (comment === undefined) return {}
  return Object.fromEntries(
    comment.split(';').flatMap(part => {
      const [name = '', ...value] = part.split(':')
      return isNote(name.trim()) ? [[name.trim(), value.join(':').trim()]] : []
    })
  )
}

function isNote(name: string): name is NoteName {
  return (NOTES as readonly string[]).includes(name)
}

/** Returns the document and line of a block, in the form that editors and terminals turn into a link. */
export function placeOf({ document, line }: Pick<Block, 'document' | 'line'>): string {
  return `${document}:${line}`
}
