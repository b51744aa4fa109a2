/** Explains to the task's author why a bundle does not load. */
import { dirname } from 'node:path'
import { leaveOut, packageHolding } from '../bundle/import-advice.ts'
import { resolveSources, toFailure } from '../execute/stack.ts'

/** Node's error codes for a module that is missing or that cannot be loaded in this thread. */
const NO_MODULE = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED', 'ERR_UNSUPPORTED_DIR_IMPORT']

/**
 * Describes why a bundle does not load. For an error of the user's code, the description contains the stack. For a module that is resolved at run
 * time (often a native module) or a package that does not load inside a bundle, it contains the name, the importing file and advice on `--external`.
 */
export function loadProblem(error: unknown, bundleFile: string): string {
  const { name, message, stack } = toFailure(error, 'load')
  const failed = 'its code failed when it was loaded'
  const places = placesOf(stack)
  const inside = packageAt(places[0] ?? '') === undefined ? undefined : outermostPackage(places)
  if (inside === undefined && !NO_MODULE.includes(codeOf(error))) {
    return `${failed}: ${stack === '' ? `${name} ${message}`.trim() : stack}`
  }
  const [said = ''] = `${name}: ${message}`.split('\nRequire stack:')
  // The module runs from the folder of the bundle, so Node's message shows a path relative to the module as a path in this folder.
  const what = said.replaceAll(`${dirname(bundleFile)}/`, './')
  return `${failed}: ${what}${describePlaces(places)}\n${advice(inside)}`
}

function advice(inside: string | undefined): string {
  if (inside === undefined) {
    return `The bundle lacks files that the code looks for while it runs: put them into an npm package, and import the package by its name. ${leaveOut(undefined)}`
  }
  return `What ${inside} looks for while it runs, such as native modules, is not in the bundle. ${leaveOut(inside)}`
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return typeof code === 'string' ? code : ''
}

/** The places in the user's sources that the frames of a stack name, innermost first. */
function placesOf(stack: string): string[] {
  return stack.split('\n').flatMap(line => /^\s+at .*?(p2p-task:[^\s()]+)/.exec(line)?.[1] ?? [])
}

function packageAt(place: string): string | undefined {
  return packageHolding(resolveSources(place))
}

/** The package that the task itself imports. This package is installed in a folder where the peers can find it. */
function outermostPackage(places: readonly string[]): string | undefined {
  return places.map(packageAt).findLast(name => name !== undefined)
}

/** Describes the place of the failure, and the place in the user's own files that led to this place. */
function describePlaces(places: readonly string[]): string {
  const [first] = places
  if (first === undefined) return ''
  const own = places.find(place => packageAt(place) === undefined)
  return `\n    at ${first}${own === undefined || own === first ? '' : `\n    imported at ${own}`}`
}
