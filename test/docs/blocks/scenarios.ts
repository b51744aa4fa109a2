/** Assigns every block to the scenario that runs the block. */
import type { Block, NoteName } from './block.ts'
import { NOTES, placeOf } from './block.ts'

/** The scenarios that a comment `<!-- run: NAME -->` may name, each with the test that runs the scenario. */
export const SCENARIOS = {
  /** The default. The block runs in a clone, on a host with a running cluster of two peers. */
  cluster: 'test/docs/blocks/documents.ts',
  /** The block runs on a Docker engine, with an image that is built from the clone. */
  docker: 'test/compose/documents.test.ts',
  /** The block runs on a host with the files of systemd but without its daemon. */
  systemd: 'test/docs/blocks/run-systemd.test.ts',
  /** The block does not run, because the tests have no Kubernetes. Instead, the test checks every name and option. */
  kubernetes: 'test/docs/blocks/kubernetes.test.ts',
  /** The block does not run, because it describes files. Instead, the test compares the block with these files. */
  described: 'test/docs/blocks/described.test.ts'
} as const
export type ScenarioName = keyof typeof SCENARIOS

/** The ways in which the scenario `cluster` uses a block. */
export type Kind = 'script' | 'program' | 'module' | 'file' | 'output'

const OUTPUTS = ['text', 'json']

/** Returns the kind of a block, or undefined if the block cannot be run. */
export function kindOf(block: Block, blocks: readonly Block[]): Kind | undefined {
  const { language, notes } = block
  if (notes.file !== undefined) return 'file'
  if (['sh', 'bash', 'console'].includes(language)) return 'script'
  if (['ts', 'js'].includes(language)) return nameOf(block) === undefined ? 'program' : 'module'
  // A block shows output only if it directly follows the block that prints this output.
  return OUTPUTS.includes(language) && ofBefore(block, blocks) !== undefined ? 'output' : undefined
}

/** Returns the block whose output `block` shows. */
export function ofBefore(block: Block, blocks: readonly Block[]): Block | undefined {
  const before = blocks[blocks.indexOf(block) - 1]
  if (before === undefined || before.document !== block.document) return undefined
  return ['script', 'program'].includes(kindOf(before, blocks) ?? '') ? before : undefined
}

/** Returns the name of the file that a block contains, from the note or from the comment on the first line of the block. */
export function nameOf({ notes, text }: Block): string | undefined {
  return notes.file ?? /^(?:\/\/|#) ([\w./-]+\.\w+)$/.exec(text.split('\n', 1)[0]!)?.[1]
}

/** Returns the scenario of a block. Without a note, a schema is `described`, and any other block runs in `cluster`. */
export function scenarioOf({ notes, language }: Block): string {
  return notes.run ?? (language === 'proto' ? 'described' : 'cluster')
}

/** Returns the blocks that a scenario runs. */
export function blocksFor(scenario: ScenarioName, blocks: readonly Block[]): Block[] {
  return blocks.filter(block => scenarioOf(block) === scenario)
}

/** Returns why no scenario runs a block and how to correct this, or undefined if a scenario runs the block. */
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

/** The allowed values of the notes whose value is not free text. */
const VALUES: Partial<Record<NoteName, RegExp>> = { host: /^[23]$/, exit: /^\d+$/, terminal: /^yes$/, exact: /^yes$/ }

/** Returns mistakes that the parser ignores: notes without a block, misspelt notes, and blocks in a form that the parser does not read. */
export function strayNotes(document: string, text: string, blocks: readonly Block[]): string[] {
  const own = blocks.filter(block => block.document === document)
  const insides = own.map(({ line, text }) => [line, line + text.split('\n').length] as const)
  const lines = text.split('\n')
  return lines.flatMap((line, i) => {
    const at = `${document}:${i + 1}`
    if (insides.some(([first, last]) => i + 1 > first && i + 1 <= last)) return []
    // Markdown has more forms of blocks than the parser reads.
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

/** Whether a line after an empty line is code that the parser does not read, because it is indented by more than four spaces or within a list item. */
function isCodeInList(lines: readonly string[], at: number): boolean {
  const indent = lines[at]!.search(/\S/)
  if (indent < 5) return false
  for (let i = at - 1; i >= 0; i--) {
    const [, marker] = /^( *(?:[-*+]|\d+[.)]) +)\S/.exec(lines[i]!) ?? []
    if (marker !== undefined && marker.length <= indent) return indent >= marker.length + 4
    // Text at the margin ends a list.
    if (marker === undefined && /^\S/.test(lines[i]!)) break
  }
  return true
}
