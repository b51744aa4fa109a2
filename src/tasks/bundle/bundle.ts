import { realpathSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message, Metafile } from 'esbuild'
import { TaskLoadError } from '../../common/errors.ts'
import { orAborted } from '../../lib/abort.ts'
import { codeHash } from '../execute/code-store.ts'
import { checkedPackages } from '../execute/external-packages.ts'
import { sourceUrl } from '../execute/stack.ts'
import { BANNER } from './banner.ts'
import { BundleCache, type Ingredients } from './bundle-cache.ts'
import { taskPlugin, VIRTUAL } from './bundle-plugin.ts'
import { withEsbuild } from './esbuild-service.ts'
import { adviceFor, NATIVE } from './import-advice.ts'
import { inspectTask } from './inspect-task.ts'

export { inspectTask } from './inspect-task.ts'

/** A bundle: the module of a task and all modules that it imports, in one file that runs on every peer. */
export interface TaskBundle {
  /** The source text of the bundle, which is one ES module with a source map. */
  code: Uint8Array
  /** The SHA-256 of `code`, in hex. Every machine that bundles the task gets the same SHA-256. */
  sha256: string
  /** The task's `name`; if the task has no name, the name of its file without extension. */
  name: string
  /** The folder of the task's file. Paths in stacks are relative to this folder. */
  folder: string
  /** npm packages that are not in the bundle: each peer resolves them from the folder where it was started. */
  external: string[]
  /** Whether the task is an iteration, which runs in rounds and whose `run` needs a state. */
  isIteration: boolean
}

export interface BundleOptions {
  /** npm packages that are left out of the bundle. A peer offers such a package with `join --external`. Default: none. */
  external?: readonly string[]
  /** The folder that a relative path starts from. Default: the current folder. */
  cwd?: string
  signal?: AbortSignal
}

/**
 * Bundles the task in the module with this path or file URL, and checks in a separate thread that the module exports a task.
 *
 * @throws TaskLoadError with the compiler's message, or with the name of the export that the module lacks
 */
export async function bundleTask(reference: string | URL, options: BundleOptions = {}): Promise<TaskBundle> {
  const cwd = resolve(options.cwd ?? '.')
  const external = checkedPackages(options.external ?? [])
  const file = findTask(reference, cwd)
  options.signal?.throwIfAborted()
  const kept = external.length === 0 ? cache.get(file) : undefined
  if (kept !== undefined) return kept
  // Calls for the same file take turns, so that the later calls find the bundle in the cache.
  const bundled = (compiling.get(file) ?? Promise.resolve()).then(() => bundleFile(file, external, cwd, options))
  const settled = bundled.then(
    () => {},
    () => {}
  )
  compiling.set(file, settled)
  void settled.then(() => compiling.get(file) === settled && compiling.delete(file))
  return await orAborted(bundled, options.signal)
}

/** The last queued call for each file. */
const compiling = new Map<string, Promise<void>>()

async function bundleFile(
  file: string,
  external: string[],
  cwd: string,
  { signal }: BundleOptions
): Promise<TaskBundle> {
  signal?.throwIfAborted()
  const kept = external.length === 0 ? cache.get(file) : undefined
  if (kept !== undefined) return kept
  const began = Date.now()
  const { code, ...ingredients } = await compile(file, external, cwd)
  const bundle: TaskBundle = {
    code,
    sha256: codeHash(code),
    name: taskName(basename(file, extname(file)), 'task'),
    folder: dirname(file),
    external,
    isIteration: false
  }
  const { name, isIteration } = await inspectTask(bundle, { cwd, signal })
  const inspected = { ...bundle, name: name ?? bundle.name, isIteration }
  cache.put(file, inspected, ingredients, began)
  return inspected
}

const cache = new BundleCache()

/** Reduces a name to one short printable line. Returns `fallback` if no character is left. */
export function taskName(text: string, fallback: string): string {
  return text.replace(/\p{C}/gu, '').trim().slice(0, 100) || fallback
}

// The calls are synchronous for the reason that the cache gives.
function findTask(reference: string | URL, cwd: string): string {
  const isUrl = typeof reference !== 'string' || reference.startsWith('file:')
  let path: string
  try {
    path = isUrl ? fileURLToPath(reference) : resolve(cwd, reference)
  } catch (cause) {
    throw new TaskLoadError(`${reference} is no file URL: a task is named by a path or a file URL`, { cause })
  }
  let isFile: boolean
  let file: string
  try {
    isFile = statSync(path).isFile()
    // esbuild names sources by their real paths, and the hash must not depend on a symbolic link in the given path.
    file = realpathSync.native(path)
  } catch (cause) {
    throw new TaskLoadError(`the task file ${path} does not exist or cannot be read`, { cause })
  }
  if (!isFile) throw new TaskLoadError(`${path} is no file: name the module that exports the task`)
  return file
}

async function compile(
  file: string,
  external: readonly string[],
  cwd: string
): Promise<Ingredients & { code: Uint8Array }> {
  const folder = dirname(file)
  return withEsbuild(async esbuild => {
    try {
      const { outputFiles, metafile } = await esbuild.build({
        entryPoints: [file],
        absWorkingDir: folder,
        outfile: join(folder, 'task.mjs'),
        write: false,
        metafile: true,
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node20',
        charset: 'utf8',
        sourcemap: 'external',
        sourcesContent: false,
        legalComments: 'none',
        logLevel: 'silent',
        define: { __filename: '__p2p_filename', __dirname: '__p2p_dirname' },
        banner: { js: BANNER },
        plugins: [taskPlugin(external)]
      })
      const text = (extension: string) => outputFiles.find(output => output.path.endsWith(extension))?.text ?? ''
      const code = Buffer.from(`${text('.mjs')}${sourceMapComment(text('.map'))}`)
      return { code, ...ingredientsOf(metafile, folder) }
    } catch (error) {
      if (!isBuildFailure(error)) throw error
      const errors = error.errors.map(each =>
        explained({ ...each, location: each.location && relocate(each.location) })
      )
      const messages = await esbuild.formatMessages(errors, { kind: 'error', color: false })
      throw new TaskLoadError(`the task ${file} does not compile:\n${messages.join('').trimEnd()}`, { cause: error })
    }

    function relocate<Location extends { file: string }>(location: Location): Location {
      return { ...location, file: relative(cwd, resolve(folder, location.file)) }
    }
  })
}

function ingredientsOf({ inputs }: Metafile, folder: string): Ingredients {
  const files = Object.entries(inputs).filter(([name]) => !VIRTUAL.test(name))
  const imports = files.flatMap(([, input]) => input.imports)
  return {
    inputs: files.map(([name]) => resolve(folder, name)),
    importsByName: imports.some(
      ({ path, original, external }) =>
        external !== true && !VIRTUAL.test(path) && original !== undefined && !/^\.{0,2}\//.test(original)
    ),
    mayFindMore: imports.some(({ path, external }) => external === true && !isBuiltin(path))
  }
}

/** An esbuild message with advice for the author of a task, in place of esbuild's own notes. */
function explained(message: Message): Message {
  const importer = message.location?.file ?? ''
  // esbuild reports the specifier only in the text of the message.
  const specifier = /^Could not resolve "(.+)"$/.exec(message.text)?.[1]
  const advice = adviceFor({ specifier, importer: importer.replaceAll('\\', '/'), isNative: message.detail === NATIVE })
  const notes = advice === undefined ? message.notes : [{ text: advice, location: null }]
  return { ...message, pluginName: '', notes }
}

function isBuildFailure(error: unknown): error is Error & { errors: Message[] } {
  return error instanceof Error && 'errors' in error && Array.isArray(error.errors)
}

/** The source map as a comment for the bundle. The names of the sources are marked, so that stacks of any peer can be mapped to the user's files. */
function sourceMapComment(text: string): string {
  const map = JSON.parse(text) as { sources: string[] }
  map.sources = map.sources.map(sourceUrl)
  const encoded = Buffer.from(JSON.stringify(map)).toString('base64')
  return `//# sourceMappingURL=data:application/json;base64,${encoded}\n`
}
