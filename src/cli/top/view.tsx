/** The part of `top` that uses Ink: it renders lines as rows of the terminal, and translates input into key names. */
import { EventEmitter } from 'node:events'
import { Box, type Key, render, useInput } from 'ink'
import type { ReactElement } from 'react'
import type { Line } from './line.ts'
import { Row } from './row.tsx'

export interface ViewInit {
  stdin: NodeJS.ReadStream
  stderr: NodeJS.WriteStream
  styled: boolean
  /** Called with each key: a character, or the name of a key. */
  onKey(key: string): void
  /** Called with the rows of each frame. */
  onDrawn(rows: string[]): void
}

export interface View {
  show(lines: readonly Line[], columns: number): void
  stop(): void
  /** Rejects when a component throws. */
  ended: Promise<unknown>
}

/**
 * The stream that Ink draws to. With the option `debug`, Ink writes each frame in one write, and writes nothing else.
 */
class Canvas extends EventEmitter {
  columns = 80
  readonly #onDrawn: (rows: string[]) => void

  constructor(onDrawn: (rows: string[]) => void) {
    super()
    this.#onDrawn = onDrawn
  }

  write(picture: string): boolean {
    this.#onDrawn(picture.split('\n'))
    return true
  }
}

const NAMED = ['pageUp', 'pageDown', 'home', 'end', 'tab', 'escape', 'return'] as const

/** Returns the names of the pressed keys, as controls.ts expects them. One input may contain several keys. */
function keysOf(input: string, key: Key): string[] {
  if (key.ctrl) return [`ctrl-${input}`]
  if (key.upArrow) return ['up']
  if (key.downArrow) return ['down']
  const name = NAMED.find(each => key[each])
  return name === undefined ? [...input] : [name]
}

interface TopProps extends Pick<ViewInit, 'onKey' | 'styled'> {
  lines: readonly Line[]
}

function Top({ lines, styled, onKey }: TopProps): ReactElement {
  useInput((input, key) => {
    for (const each of keysOf(input, key)) onKey(each)
  })
  return (
    <Box flexDirection="column">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its place on the screen
        <Row key={index} line={line} styled={styled} />
      ))}
    </Box>
  )
}

export function startView({ stdin, stderr, styled, onKey, onDrawn }: ViewInit): View {
  const canvas = new Canvas(onDrawn)
  const top = (lines: readonly Line[]): ReactElement => <Top lines={lines} styled={styled} onKey={onKey} />
  const ink = render(top([]), {
    stdout: canvas as unknown as NodeJS.WriteStream,
    stdin,
    stderr,
    debug: true,
    exitOnCtrlC: false,
    patchConsole: false
  })
  return {
    show(lines, columns) {
      canvas.columns = columns
      ink.rerender(top(lines))
    },
    stop: () => ink.unmount(),
    ended: ink.waitUntilExit()
  }
}
