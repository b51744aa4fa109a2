// Writes man/p2p-worker.1 from the built commands, so that the man page and --help agree.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(fileURLToPath(import.meta.url), '../..')

export function writeManPage() {
  const main = join(root, 'dist/cli/main.js')
  // The environment must not contain the user's P2P_WORKER_ variables, because commander reads these variables before any command runs.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME }
  const page = execFileSync(process.execPath, [main, 'help', '--man'], { encoding: 'utf8', env })
  mkdirSync(join(root, 'man'), { recursive: true })
  writeFileSync(join(root, 'man/p2p-worker.1'), page)
}
