// Runs the examples that draw pictures, and writes the pictures to docs/pictures/. This takes about a minute. Run `npm run build` first.
import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(fileURLToPath(import.meta.url), '../..')
const folder = join(root, 'docs/pictures')

/** The largest size of a picture, in bytes. Pictures must be small, because every clone contains them and web pages load them. */
const MOST_BYTES = 200_000

const PICTURES = {
  mandelbrot: { width: 720, iterations: 2_000 },
  'ray-trace': { width: 480, samples: 256 }
}

mkdirSync(folder, { recursive: true })
for (const [example, input] of Object.entries(PICTURES)) {
  const output = join(folder, `${example}.png`)
  const args = ['run', `examples/${example}.ts`, '--local', '--input', JSON.stringify(input), '--output', output]
  execFileSync(process.execPath, ['dist/cli/main.js', ...args], { cwd: root, stdio: 'inherit' })
  const { size } = statSync(output)
  console.log(`docs/pictures/${example}.png: ${size} bytes`)
  if (size > MOST_BYTES) throw new Error(`that is more than ${MOST_BYTES}: draw it smaller`)
}
