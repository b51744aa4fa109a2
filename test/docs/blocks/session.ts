/** Runs the blocks of one document in order, as a reader would type them into terminals. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { type Block, placeOf } from './block.ts'
import { differsFrom, notPrinted } from './output.ts'
import { programOf } from './program.ts'
import { kindOf, nameOf, ofBefore } from './scenarios.ts'
import type { Script } from './script.ts'
import type { HostName, World } from './world.ts'

/** The commands that run until Ctrl-C, each with the output that shows that the command works. */
const GOES_ON: [RegExp, RegExp][] = [
  [/^(?:npx )?p2p-worker join\b/, / leads \(epoch/],
  [/^(?:npx )?p2p-worker lead\b/, / has joined cluster /],
  [/^(?:npx )?p2p-worker top\b/, /MEMBERS|PEER/],
  [/^(?:npx )?p2p-worker members\b.* --watch\b/, /PEER/]
]
/** The time within which a running command must print the shown text, in ms. */
const SHOWN_LIMIT_MS = 60_000

export class Session {
  readonly #world: World
  readonly #blocks: readonly Block[]
  readonly #clones = new Map<HostName, string>()
  readonly #scripts = new Map<Block, Script>()
  readonly #interrupted = new Set<Script>()
  readonly #wrap: string[]

  /**
   * @param blocks - the blocks of all documents; a session runs the blocks of one document
   * @param wrap - the words before each command that run the command elsewhere
   */
  constructor(world: World, blocks: readonly Block[], wrap: string[] = []) {
    this.#world = world
    this.#blocks = blocks
    this.#wrap = wrap
  }

  /** Runs one block. The earlier blocks of the document must have run before. */
  async run(block: Block): Promise<void> {
    switch (kindOf(block, this.#blocks)) {
      case 'script':
        return await this.#runScript(block)
      case 'program':
        return await this.#runProgram(block)
      case 'module':
      case 'file':
        return this.#write(block)
      case 'output':
        return await this.#compare(block)
      case undefined:
        throw new Error(`${placeOf(block)}: nothing runs this`)
    }
  }

  /** Runs lines on the first machine that are not part of the document. */
  async prepare(text: string): Promise<void> {
    const script = this.#world.start({ text, clone: this.#clone('1'), wrap: this.#wrap })
    expect(await script.ended(), script.output).toBe(0)
  }

  /** Ends all running commands. Commands that run until Ctrl-C must then exit with 0 or 130. */
  async end(): Promise<void> {
    await this.#cancelDetached()
    const codes: unknown[] = []
    for (const [block, script] of [...this.#scripts].reverse()) {
      if (this.#interrupted.has(script)) {
        const code = await script.interrupt()
        if (![0, 130].includes(code ?? -1))
          codes.push(`${placeOf(block)} ends with ${code} at Ctrl-C:\n${script.output}`)
      }
      await script.end()
    }
    expect(codes).toEqual([])
  }

  /** Cancels detached jobs, which would keep the cluster busy during later documents. */
  async #cancelDetached(): Promise<void> {
    const texts = [...this.#scripts.keys()].map(({ text }) => text).join('\n')
    if (!/--detach|\/api\/jobs|detach: true/.test(texts)) return
    const script = this.#world.start({ text: 'p2p-worker status --json', clone: this.#clone('1') })
    await script.ended()
    const { jobs } = JSON.parse(script.output) as { jobs: { jobId: string; state: string }[] }
    for (const { jobId } of jobs.filter(({ state }) => state === 'running' || state === 'accepted')) {
      await this.#world.start({ text: `p2p-worker cancel ${jobId}`, clone: this.#clone('1') }).ended()
    }
  }

  async #runScript(block: Block): Promise<void> {
    const host = hostOf(block)
    const clone = this.#clone(host)
    const { commands, shown } = partsOf(block)
    const text = this.#filledIn(commands)
    const last = text
      .trim()
      .split('\n')
      .at(-1)!
      .replace(/ +# .*$/, '')
    const [, defaultPattern] =
      GOES_ON.find(([line]) => line.test(last) && !last.endsWith('&') && !/--help|\|/.test(last)) ?? []
    const until = block.notes.until === undefined ? defaultPattern : new RegExp(block.notes.until)
    const terminal = block.notes.terminal !== undefined || /^(?:npx )?p2p-worker top\b/m.test(text)
    const script = this.#world.start({ prelude: keeping(clone, host), text, clone, host, terminal, wrap: this.#wrap })
    this.#scripts.set(block, script)
    if (until === undefined) {
      const code = await script.ended()
      expect(code, `${placeOf(block)}:\n${text}\nprinted:\n${script.output}`).toBe(Number(block.notes.exit ?? 0))
    } else {
      this.#interrupted.add(script)
      await script.until(until)
    }
    if (shown !== undefined) expect(notPrinted(shown, script.output), script.output).toEqual([])
  }

  async #runProgram(block: Block): Promise<void> {
    const host = hostOf(block)
    const clone = this.#clone(host)
    const file = join(clone, `block-${block.line}.mjs`)
    writeFileSync(file, await programOf(block))
    const env = { P2P_WORKER_KEY: this.#world.key }
    const script = this.#world.start({ text: `exec '${process.execPath}' ${file}`, clone, host, env })
    this.#scripts.set(block, script)
    if (block.notes.until !== undefined) return await script.until(new RegExp(block.notes.until))
    const code = await script.ended()
    expect(code, `${placeOf(block)} printed:\n${script.output}`).toBe(Number(block.notes.exit ?? 0))
    // In `console.log(…) // 664579`, the comment is the expected output.
    const said = [...block.text.matchAll(/console\.log\(.*\) \/\/ (\S+)$/gm)].map(([, value]) => value!)
    expect(
      said.filter(value => !script.output.split('\n').includes(value)),
      script.output
    ).toEqual([])
  }

  #write(block: Block): void {
    const file = join(this.#clone(hostOf(block)), nameOf(block)!)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${block.text}\n`)
  }

  async #compare(block: Block): Promise<void> {
    const script = this.#scripts.get(ofBefore(block, this.#blocks)!)
    if (script === undefined) throw new Error(`${placeOf(block)}: the block before it has not run`)
    const isExact = block.notes.exact !== undefined
    const differences = (): string[] =>
      block.language === 'json'
        ? jsonDifferences(block.text, script.output, isExact)
        : notPrinted(block.text, script.output, isExact)
    // A command that is still running may print the text later.
    const limit = performance.now() + SHOWN_LIMIT_MS
    while (script.goesOn && differences().length > 0 && performance.now() < limit) await delay(100)
    expect(differences(), `${placeOf(block)} shows what is not printed:\n${script.output}`).toEqual([])
  }

  #clone(host: HostName): string {
    const known = this.#clones.get(host)
    if (known !== undefined) return known
    const clone = this.#world.clone()
    this.#clones.set(host, clone)
    // Documents assume that the reader has copied keys and lists from the first machine to the other machines.
    const first = this.#clones.get('1')
    if (first !== undefined) {
      const files = readdirSync(first, { withFileTypes: true }).filter(entry => entry.isFile())
      for (const { name } of files) copyFileSync(join(first, name), join(clone, name))
    }
    return clone
  }

  /** Replaces JOB and TOKEN by the last printed job id and token, as a reader does. */
  #filledIn(text: string): string {
    const printed = [...this.#scripts.values()].map(script => script.output).join('\n')
    const last = (pattern: RegExp): string | undefined => [...printed.matchAll(pattern)].at(-1)?.[0]
    const words: Record<string, () => string | undefined> = {
      JOB: () => last(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g),
      TOKEN: () => last(/^p2pw1_\S+$|^\S{60,}$/gm)
    }
    return text.replaceAll(/\b(?:JOB|TOKEN)\b(?!=)/g, word => {
      const value = words[word]!()
      if (value === undefined) throw new Error(`nothing has printed a ${word} before:\n${text}`)
      return value
    })
  }
}

function hostOf({ notes }: Block): HostName {
  return notes.host === '2' || notes.host === '3' ? notes.host : '1'
}

/** Splits a `console` block into its commands and the output that it shows. */
function partsOf({ language, text }: Block): { commands: string; shown?: string } {
  if (language !== 'console') return { commands: text }
  const lines = text.split('\n')
  return {
    commands: lines.flatMap(line => (line.startsWith('$ ') ? [line.slice(2)] : [])).join('\n'),
    shown: lines.filter(line => !line.startsWith('$ ')).join('\n')
  }
}

/** Returns a prelude that restores the variables and the folder of the previous script on this machine, and stores them for the next script. */
function keeping(clone: string, host: HostName): string {
  const file = join(dirname(clone), `${host}.variables`)
  return `_known=$(compgen -v; printf '%s\\n' FUNCNAME PIPESTATUS BASH_LINENO BASH_REMATCH _ _known _code _name)
${existsSync(file) ? `. '${file}'` : ''}
_keep() {
  for _name in $(compgen -v | grep -vxF "$_known"); do declare -p "$_name"; done
  printf 'cd %q\\n' "$PWD"
}
trap '_code=$?; _keep > "${file}" 2> /dev/null; exit $_code' EXIT`
}

/** Compares JSON. Each text is one value on one or several lines, one value on each line, or other output followed by one value on several lines. */
function jsonDifferences(shown: string, printed: string, exact: boolean): string[] {
  const values = (text: string): unknown[] => {
    const whole = parsed(text) ?? parsed(/^[[{]$.*^[\]}]$/ms.exec(text)?.[0] ?? '')
    return whole === undefined ? text.split('\n').flatMap(line => parsed(line) ?? []) : [whole]
  }
  const [wanted, found] = [values(shown), values(printed)]
  if (wanted.length === 0) return ['it is no JSON']
  return wanted.flatMap(each => {
    const differences = found.map(other => differsFrom(each, other, exact))
    return differences.some(list => list.length === 0) ? [] : (differences[0] ?? ['no JSON was printed'])
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
