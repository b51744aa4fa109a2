/** Ink's part of `top`: it turns lines into rows of the terminal, and what is typed into keys. */
import { EventEmitter } from 'node:events'
import { Box, type Key, render, useInput } from 'ink'
import type { ReactElement } from 'react'
import type { Line } from './line.ts'
import { Row } from './row.tsx'

export interface ViewInit {
  stdin: NodeJS.ReadStream
  stderr: NodeJS.WriteStream
  styled: boolean
  /** A character, or a key's name. */
  onKey(key: string): void
  /** Takes the rows of each picture. */
  onDrawn(rows: string[]): void
}

export interface View {
  show(lines: readonly Line[], columns: number): void
  stop(): void
  /** Rejects when a component throws. */
  ended: Promise<unknown>
}

/** Where Ink draws: each picture is one write (`debug` says so), and nothing but pictures is written. */
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

/** What was pressed, in the words of controls.ts; several where they came together. */
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
