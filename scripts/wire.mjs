// Generates src/wire/NAME.gen.ts from src/wire/NAME.proto with protons. Run the script after a change of a schema, and commit the schema together
// with the generated file.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const wire = join(root, 'src', 'wire')
for (const file of readdirSync(wire).filter(name => name.endsWith('.proto'))) {
  execFileSync(join(root, 'node_modules', '.bin', 'protons'), [join(wire, file)], { cwd: wire, stdio: 'inherit' })
  const made = join(wire, file.replace(/\.proto$/, '.ts'))
  const target = join(wire, file.replace(/\.proto$/, '.gen.ts'))
  renameSync(made, target)
  const text = readFileSync(target, 'utf8').replace(/from '\.\/([a-z-]+)\.ts'/g, "from './$1.gen.ts'")
  writeFileSync(target, withoutStreams(text))
}

/** Removes the readers of single fields, which nobody uses. They are three quarters of the text. */
function withoutStreams(text) {
  return text
    .replace(/^( *)\}, function \* \(reader, length, prefix, opts = \{\}\) \{\n.*?\n\1\}\)\n/gms, '$1}, noStream)\n')
    .replace(/^( *)export interface \S+FieldEvent \{\n.*?\n\1\}\n\n/gms, '')
    .replace(/\n( *)export function stream \(.*?\n\1\}\n/gs, '')
    .replace(/, streamMessage \} from 'protons-runtime'\n/, " } from 'protons-runtime'\n")
    .replace(/\n\nexport /, '\n\nconst noStream = function * (): Generator<never> {}\n\nexport ')
}
