/**
 * Finds the word that names the program of a command. The word may follow assignments, keywords, and programs that start
 * another program (`env`, `nice`).
 */
import { evaluated } from './refusal.ts'
import { LINE, type Word } from './words.ts'

/** Keywords before a command. */
export const KEYWORDS: ReadonlySet<string> = new Set('if then else elif do while until ! {'.split(' '))
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/

interface Launcher {
  /** The letters of the options that may have their argument in the next word. */
  valued?: string
  /** The number of operands before the name of the program to start. */
  operands?: number
}

/** Programs and builtins that start a program whose name is one of their arguments. */
const LAUNCHERS: ReadonlyMap<string, Launcher> = new Map(
  Object.entries({
    builtin: {},
    busybox: {},
    chroot: { operands: 1 },
    chrt: { valued: 'TPD', operands: 1 },
    command: {},
    doas: { valued: 'Cu' },
    env: { valued: 'uC' },
    exec: { valued: 'a' },
    flock: { valued: 'wE', operands: 1 },
    ionice: { valued: 'cn' },
    nice: { valued: 'n' },
    nohup: {},
    setsid: {},
    stdbuf: { valued: 'ioe' },
    sudo: { valued: 'CDghpRrTtUu' },
    taskset: { operands: 1 },
    time: { valued: 'fo' },
    timeout: { valued: 'ks', operands: 1 },
    xargs: { valued: 'adEIJLnPRsS' }
  })
)
/** Programs that accept `NAME=value` before the name of the program to start, and options that contain a command. */
const TAKE_ASSIGNMENTS = new Set(['env', 'sudo', 'doas'])
/** A word in which a line may be the name of an option or a variable, or a part of such a name. */
const NAMED_BY_LINE = new RegExp(`^[^/=]*${LINE}`)
const SPLITS_ITS_ARGUMENT = /^-[A-Za-z]*S|^--split/

export interface Program {
  /**
   * The indexes of words that may name the program. An earlier word names the program if an unknown option before the
   * word takes no argument; otherwise the last word names the program.
   */
  candidates: number[]
  /** Whether the next word may be the name of the program. */
  isOpen: boolean
  /** Whether another program in the command starts or may start this program. */
  isLaunched: boolean
}

/**
 * @throws InvalidOptionError when a program starts another program and a line may become an option, an assignment or
 * the name of the program to start
 */
export function programOf(words: readonly Word[]): Program {
  const candidates: number[] = []
  let isLaunched = false
  let at = 0
  for (;;) {
    at = skipKeywords(words, at)
    const word = words[at]
    if (word === undefined) return { candidates, isOpen: true, isLaunched }
    const name = baseName(word.text)
    const launcher = word.isFixed ? LAUNCHERS.get(name) : undefined
    if (launcher === undefined) {
      candidates.push(at)
      return { candidates, isOpen: false, isLaunched }
    }
    isLaunched = true
    const from = at + 1
    at = skipOptions(words, from, launcher, candidates) + (launcher.operands ?? 0)
    if (TAKE_ASSIGNMENTS.has(name)) while (ASSIGNMENT.test(words[at]?.text ?? '')) at++
    const named = [...candidates, at].flatMap(index => words[index] ?? [])
    checkBefore(name, words.slice(from, at), named)
  }
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

function skipKeywords(words: readonly Word[], from: number): number {
  let at = from
  for (let word = words[at]; word !== undefined; word = words[at]) {
    if (KEYWORDS.has(word.text) || ASSIGNMENT.test(word.text)) at++
    // A `for` without a list of words: `for NAME do COMMAND`.
    else if (/^(?:for|select)$/.test(word.text) && /^(?:do|\{)$/.test(words[at + 2]?.text ?? '')) at += 3
    else break
  }
  return at
}

/** @returns the index of the first word after the options */
function skipOptions(words: readonly Word[], from: number, { valued = '' }: Launcher, candidates: number[]): number {
  let at = from
  for (let text = words[at]?.text; text?.startsWith('-'); text = words[at]?.text) {
    at++
    if (text === '--') break
    if (text.startsWith('--')) {
      // Either the next word is the argument of this option, or the next word names the program.
      if (!text.includes('=') && at < words.length && !words[at]!.text.startsWith('-')) candidates.push(at++)
    } else {
      const letters = text.slice(1)
      const first = [...letters].findIndex(letter => valued.includes(letter))
      if (first >= 0 && first === letters.length - 1) at++
    }
  }
  return at
}

/** Checks the words between the name of a launcher and the name of the program that the launcher starts. */
function checkBefore(launcher: string, between: readonly Word[], named: readonly Word[]): void {
  if (between.some(word => word.mayBeSeveral))
    throw evaluated(`an argument of ${launcher} may become several words`, 'put "…" around it')
  if (!TAKE_ASSIGNMENTS.has(launcher)) return
  if (launcher === 'env' && between.some(({ text }) => SPLITS_ITS_ARGUMENT.test(text)))
    throw evaluated('env -S splits its argument into a command', 'write the words themselves')
  const options = between.filter(({ text }) => text.startsWith('-'))
  if ([...options, ...named].some(({ text }) => NAMED_BY_LINE.test(text)))
    throw evaluated(
      `${launcher} would take a line for an option or a variable`,
      `write ./{} for a program of that name, or what ${launcher} starts before {}`
    )
}
