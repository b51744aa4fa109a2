import { resolve } from 'node:path'
import { Script } from 'node:vm'
import { InvalidOptionError } from '../../common/errors.ts'
import { codeHash } from '../execute/code-store.ts'
import { checkedPackages } from '../execute/external-packages.ts'
import { type BundleOptions, type TaskBundle, taskName } from './bundle.ts'
import { inspectTask } from './inspect-task.ts'

/** Helpers that the text of a function may call because of tools: esbuild's keepNames (tsx) names inner functions, and Vitest replaces `import()`. */
const OF_TOOLS = `const __name = fn => fn
const __vite_ssr_dynamic_import__ = specifier => import(specifier)
`

/**
 * Bundles a task that runs a function. The bundle contains the source text of the function, so the function cannot use variables of its module.
 *
 * @throws InvalidOptionError if the function has no source text (it is native or bound) or is a class
 */
// biome-ignore lint/suspicious/noExplicitAny: the function may take and return any type
export async function bundleFunction(fn: (...values: any[]) => unknown, options: BundleOptions): Promise<TaskBundle> {
  const cwd = resolve(options.cwd ?? '.')
  const external = checkedPackages(options.external ?? [])
  const code = Buffer.from(`${OF_TOOLS}export default { run: ${expressionOf(fn)} }\n`)
  const bundle = {
    code,
    sha256: codeHash(code),
    name: taskName(fn.name, 'map'),
    folder: cwd,
    external,
    isIteration: false
  }
  await inspectTask(bundle, { cwd, signal: options.signal })
  return bundle
}

function expressionOf(fn: { toString(): string }): string {
  const text = fn.toString()
  if (/\{\s*\[native code\]\s*\}\s*$/.test(text))
    throw new InvalidOptionError(
      'this function has no text that could go to the peers: it is native, or bound. Wrap it, as in `x => Math.sqrt(x)`'
    )
  if (/^class\b/.test(text)) throw new InvalidOptionError('a class cannot be called: give a function')
  if (compiles(`(${text})`)) return `(${text})`
  // The source text of a method (`double(x) { … }`) is no function expression, so it becomes the method of an object.
  if (compiles(`({ ${text} })`)) return `Object.values({ ${text} })[0]`
  throw new InvalidOptionError(`this function's text cannot go to the peers: ${text.slice(0, 100)}`)
}

/** Whether the expression compiles. This function does not run the expression. */
function compiles(expression: string): boolean {
  try {
    new Script(expression)
    return true
  } catch {
    return false
  }
}
