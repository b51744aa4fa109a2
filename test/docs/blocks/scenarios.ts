/** Says of every block who runs it. */
import type { Block, NoteName } from './block.ts'
import { NOTES, placeOf } from './block.ts'

/** What a comment `<!-- run: NAME -->` may name, and which test then runs the block. */
export const SCENARIOS = {
  /** Where no comment says otherwise: in a clone, on a host where a cluster of two peers runs. */
  cluster: 'test/docs/blocks/documents.ts',
  /** On a Docker engine, with the image that is built from the clone. */
  docker: 'test/compose/documents.test.ts',
  /** On a host with a systemd's files and without its daemon. */
  systemd: 'test/docs/blocks/run-systemd.test.ts',
  /** Not run, for there is no Kubernetes here: every name and option is checked. */
  kubernetes: 'test/docs/blocks/kubernetes.test.ts',
  /** Not run, for it describes: compared with what is there. */
  described: 'test/docs/blocks/described.test.ts'
} as const
export type ScenarioName = keyof typeof SCENARIOS

/** What the scenario `cluster` can do with a block. */
export type Kind = 'script' | 'program' | 'module' | 'file' | 'output'

const OUTPUTS = ['text', 'json']

/** What a block is. Undefined: nothing that can be run. */
export function kindOf(block: Block, blocks: readonly Block[]): Kind | undefined {
  const { language, notes } = block
  if (notes.file !== undefined) return 'file'
  if (['sh', 'bash', 'console'].includes(language)) return 'script'
  if (['ts', 'js'].includes(language)) return nameOf(block) === undefined ? 'program' : 'module'
  // What a command prints stands right below it.
  return OUTPUTS.includes(language) && ofBefore(block, blocks) !== undefined ? 'output' : undefined
}

/** The block whose output this one shows. */
export function ofBefore(block: Block, blocks: readonly Block[]): Block | undefined {
  const before = blocks[blocks.indexOf(block) - 1]
  if (before === undefined || before.document !== block.document) return undefined
  return ['script', 'program'].includes(kindOf(before, blocks) ?? '') ? before : undefined
}

/** The file whose content a block of code is: its note, or the name in the comment on its first line. */
export function nameOf({ notes, text }: Block): string | undefined {
  return notes.file ?? /^(?:\/\/|#) ([\w./-]+\.\w+)$/.exec(text.split('\n', 1)[0]!)?.[1]
}

/** A schema describes messages; all else runs where the cluster is, unless it says otherwise. */
export function scenarioOf({ notes, language }: Block): string {
  return notes.run ?? (language === 'proto' ? 'described' : 'cluster')
}

/** The blocks that a scenario runs. */
export function blocksFor(scenario: ScenarioName, blocks: readonly Block[]): Block[] {
  return blocks.filter(block => scenarioOf(block) === scenario)
}

/** Why nobody runs this block, and what its author can do; undefined: somebody does. */
export function whyNotRun(block: Block, blocks: readonly Block[]): string | undefined {
  const scenario = scenarioOf(block)
  if (!Object.hasOwn(SCENARIOS, scenario)) {
    return `${placeOf(block)}: there is no scenario "${scenario}": name one of ${Object.keys(SCENARIOS).join(', ')}`
  }
  if (scenario !== 'cluster') return undefined
  const kind = kindOf(block, blocks)
  if (kind === undefined) {
    const what = OUTPUTS.includes(block.language)
      ? 'shows output of nothing: put it right below the block that prints it'
      : block.language === ''
        ? 'has no language: write sh, ts, text (what a command prints), json, console after its fence'
        : `is ${block.language}, which nothing runs: give it a name (<!-- file: NAME -->) that a later block uses`
    return `${placeOf(block)} ${what}, or name a scenario (<!-- run: NAME -->; CONTRIBUTING.md, "Blocks in documents")`
  }
  if (kind !== 'module' && kind !== 'file') return undefined
  const name = nameOf(block)!
  const used = blocks.some(
    other => other.document === block.document && other.line > block.line && other.text.includes(name)
  )
  return used ? undefined : `${placeOf(block)} is ${name}, and no later block of ${block.document} uses it`
}

/** What a note may say, where not everything is possible. */
const VALUES: Partial<Record<NoteName, RegExp>> = { host: /^[23]$/, exit: /^\d+$/, terminal: /^yes$/, exact: /^yes$/ }

/** What nobody runs or reads because of how it is written: notes before no block, notes that are misspelt, and other ways to write blocks. */
export function strayNotes(document: string, text: string, blocks: readonly Block[]): string[] {
  const own = blocks.filter(block => block.document === document)
  const insides = own.map(({ line, text }) => [line, line + text.split('\n').length] as const)
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    const at = `${document}:${i + 1}`
    if (insides.some(([first, last]) => i + 1 > first && i + 1 <= last)) return []
    // Markdown knows more kinds of blocks than are read here.
    const isDeep = document.endsWith('.md') && lines[i - 1]?.trim() === '' && isCodeInList(lines, i)
    if (isDeep || /^[\s>]*~{3,}|^\s*>[\s>]*`{3,}|^\s*(?:[-*+]|\d+[.)])\s+`{3,}/.test(line)) {
      return [`${at}: a block that is not read: write it with three backticks on a line of their own`]
    }
    const [, comment] = /^\s*<!--(.*)-->\s*$/.exec(line) ?? []
    if (comment === undefined) return []
    const names = comment.split(';').map(part => part.split(':')[0]!.trim())
    const unknown = names.filter(name => !(NOTES as readonly string[]).includes(name))
    const near = own.find(block => [i + 2, i + 3].includes(block.line))
    if (near !== undefined) {
      const impossible = NOTES.filter(
        name => VALUES[name]?.test(near.notes[name] ?? '') === false && name in near.notes
      )
      return [
        ...unknown.map(name => `${at}: "${name}" is nothing that a comment can say of a block`),
        ...impossible.map(name => `${at}: ${name} can be no such value`)
      ]
    }
    return unknown.length < names.length ? [`${at}: a comment for a block that is not there`] : []
  })
}

/** Whether a line after an empty one is indented as code, other than by the four spaces that are read: deeper, or in an item of a list. */
function isCodeInList(lines: readonly string[], at: number): boolean {
  const indent = lines[at]!.search(/\S/)
  if (indent < 5) return false
  for (let i = at - 1; i >= 0; i--) {
    const [, marker] = /^( *(?:[-*+]|\d+[.)]) +)\S/.exec(lines[i]!) ?? []
    if (marker !== undefined && marker.length <= indent) return indent >= marker.length + 4
    // No list goes on after text at the margin.
    if (marker === undefined && /^\S/.test(lines[i]!)) break
  }
  return true
}
