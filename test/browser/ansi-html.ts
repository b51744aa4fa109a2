/** Converts the screen of a terminal to HTML with colours. The input is the output of tmux's `capture-pane -e` (SGR sequences of ECMA-48). */

/** The sixteen colours of a terminal with a dark background, similar to those of most terminals. */
const COLOURS = [
  ...['#1d1f21', '#e06c75', '#98c379', '#e5c07b', '#61afef', '#c678dd', '#56b6c2', '#c8ccd4'],
  ...['#7f848e', '#ff7b86', '#b5e890', '#ffd68a', '#82c4ff', '#dd9cf0', '#7fd5e0', '#ffffff']
]
const GROUND = '#16181d'
const TEXT = '#c8ccd4'
/** The levels of red, green and blue in the colour cube (colours 16 to 231). */
const LEVELS = [0, 95, 135, 175, 215, 255]

/** An SGR sequence: escape, `[`, numbers, `m`. */
const SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`, 'g')

interface Style {
  colour?: string | undefined
  ground?: string | undefined
  bold?: boolean
  dim?: boolean
  underlined?: boolean
  inverse?: boolean
}

/** Returns an HTML page that shows the screen in a `pre` element. */
export function ansiToHtml(screen: string): string {
  const style = `margin:0;padding:14px 16px;background:${GROUND};color:${TEXT};font:15px/1.25 'DejaVu Sans Mono',monospace;width:max-content`
  return `<!doctype html><meta charset="utf-8"><body style="margin:0;width:max-content"><pre style="${style}">${runs(screen)}</pre>`
}

function runs(screen: string): string {
  let style: Style = {}
  let html = ''
  let at = 0
  for (const { 0: sequence, 1: codes = '', index } of screen.matchAll(SEQUENCE)) {
    html += run(screen.slice(at, index), style)
    style = after(style, codes)
    at = index + sequence.length
  }
  return html + run(screen.slice(at), style)
}

function run(text: string, style: Style): string {
  if (text === '') return ''
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const css = cssOf(style)
  return css === '' ? escaped : `<span style="${css}">${escaped}</span>`
}

function cssOf({ colour, ground, bold, dim, underlined, inverse }: Style): string {
  const [front, back] = inverse === true ? [ground ?? GROUND, colour ?? TEXT] : [colour, ground]
  return [
    front && `color:${front}`,
    back && `background:${back}`,
    bold && 'font-weight:bold',
    dim && 'opacity:.65',
    underlined && 'text-decoration:underline'
  ]
    .filter(Boolean)
    .join(';')
}

/** Returns the style after one sequence, which may set several properties. */
function after(before: Style, text: string): Style {
  const codes = text.split(';').map(Number)
  let style = before
  for (let code = codes.shift(); code !== undefined; code = codes.shift()) {
    if (code === 38) style = { ...style, colour: extended(codes) }
    else if (code === 48) style = { ...style, ground: extended(codes) }
    else style = simple(style, code)
  }
  return style
}

/** Reads the colour that follows code 38 or 48: `5;N` (one of 256 colours) or `2;R;G;B`. */
function extended(codes: number[]): string | undefined {
  if (codes.shift() === 2) return `rgb(${codes.splice(0, 3)})`
  const [index = 0] = codes.splice(0, 1)
  if (index < 16) return COLOURS[index]
  if (index >= 232) return `rgb(${Array(3).fill(8 + 10 * (index - 232))})`
  const cube = index - 16
  return `rgb(${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(level => LEVELS[level])})`
}

function simple(style: Style, code: number): Style {
  if (code === 0) return {}
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 4) return { ...style, underlined: true }
  if (code === 7) return { ...style, inverse: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 24) return { ...style, underlined: false }
  if (code === 27) return { ...style, inverse: false }
  if (code === 39) return { ...style, colour: undefined }
  if (code === 49) return { ...style, ground: undefined }
  if (code >= 30 && code <= 37) return { ...style, colour: COLOURS[code - 30] }
  if (code >= 90 && code <= 97) return { ...style, colour: COLOURS[code - 90 + 8] }
  if (code >= 40 && code <= 47) return { ...style, ground: COLOURS[code - 40] }
  if (code >= 100 && code <= 107) return { ...style, ground: COLOURS[code - 100 + 8] }
  return style
}
