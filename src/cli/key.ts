/** Which key a command uses: what the command line says, else the environment, else the saved one. */
import { readFile } from 'node:fs/promises'
import { InvalidOptionError, NoClusterError } from '../errors.ts'
import { parseClusterKey } from '../network/cluster-key.ts'
import { readOrMakeKey, readSavedKey, savedKeyFile } from './saved-key.ts'

export interface KeyFlags {
  key?: string
  keyFile?: string
  insecure?: boolean
}

/** What `join` and `connect` take. */
export type KeyOptions = { key: string } | { insecure: true }

/** How often a client looks whether a key has been saved meanwhile, in ms. */
const LOOK_AGAIN_MS = 200

const NAMES = { key: '--key', keyFile: '--key-file', insecure: '--insecure' } as const
const kinds = Object.keys(NAMES) as Array<keyof KeyFlags>

/**
 * Of `--key`, `--key-file` and `--insecure` at most one may be given; one on the command line overrides the environment.
 */
export function onlyOneKey(flags: KeyFlags, source: (name: keyof KeyFlags) => string | undefined): KeyFlags {
  for (const place of ['cli', 'env']) {
    const given = kinds.filter(kind => flags[kind] !== undefined && source(kind) === place)
    if (given.length > 1) {
      const names = given.map(kind => NAMES[kind]).join(' and ')
      throw new InvalidOptionError(`${names} contradict each other${place === 'env' ? ' (in the environment)' : ''}`)
    }
    const [kind] = given
    if (kind !== undefined) return { [kind]: flags[kind] }
  }
  return {}
}

/** A key, checked; the message says where it came from, and never what it is. */
function checkedKey(key: string, origin: string): { key: string } {
  try {
    parseClusterKey(key)
    return { key }
  } catch (cause) {
    throw new InvalidOptionError(`${origin}: ${(cause as Error).message}`, { cause })
  }
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (cause) {
    throw new InvalidOptionError(`option '--key-file': ${(cause as Error).message}`, { cause })
  }
}

async function givenKey(flags: KeyFlags): Promise<KeyOptions | undefined> {
  if (flags.insecure) return { insecure: true }
  if (flags.keyFile !== undefined) return checkedKey(await readKeyFile(flags.keyFile), flags.keyFile)
  return flags.key === undefined ? undefined : checkedKey(flags.key, "option '--key'")
}

/** The key for a peer; a new one is made and saved where there is none. */
export async function keyForJoin(
  flags: KeyFlags,
  cluster: string,
  make: () => string
): Promise<{ options: KeyOptions; made: { key: string; file: string } | undefined }> {
  const given = await givenKey(flags)
  if (given !== undefined) return { options: given, made: undefined }
  const { key, file, made } = await readOrMakeKey(cluster, make)
  return { options: checkedKey(key, file), made: made ? { key, file } : undefined }
}

/** The key that a client would use, and where it comes from; never what it is. */
export async function keyForDoctor(
  flags: KeyFlags,
  cluster: string
): Promise<{ key: string | undefined; finding: { what: string; verdict: 'fine' | 'note' | 'trouble'; text: string } }> {
  const given = await givenKey(flags)
  const finding = (verdict: 'fine' | 'note' | 'trouble', text: string) => ({ what: 'key', verdict, text })
  if (given !== undefined && 'insecure' in given) {
    return { key: undefined, finding: finding('note', '--insecure: only clusters without a key let this machine in') }
  }
  const where = flags.keyFile ?? (flags.key === undefined ? undefined : 'the one that was given')
  if (given !== undefined) return { key: given.key, finding: finding('fine', `${where}`) }
  const file = await savedKeyFile(cluster)
  const saved = await readSavedKey(cluster)
  if (saved !== undefined) return { ...checkedKey(saved, file), finding: finding('fine', `the saved one, ${file}`) }
  const text = `none was given, and ${file} does not exist: without a key only a cluster that was started with --insecure can be joined. Give --key or --key-file`
  return { key: undefined, finding: finding('trouble', text) }
}

/**
 * The key for a client. Without one there is no cluster to look for; but one may be saved by a `join` that is just
 * starting, so this waits for it as a client waits for a cluster. `waited` says how much of that time is used up, in ms.
 */
export async function keyForClient(
  flags: KeyFlags,
  cluster: string,
  wait: number,
  signal: AbortSignal
): Promise<{ key: KeyOptions; waited: number }> {
  const given = await givenKey(flags)
  if (given !== undefined) return { key: given, waited: 0 }
  const { setTimeout: sleep } = await import('node:timers/promises')
  for (let waited = 0; ; waited += LOOK_AGAIN_MS) {
    const saved = await readSavedKey(cluster)
    if (saved !== undefined) return { key: checkedKey(saved, await savedKeyFile(cluster)), waited }
    if (waited >= wait) break
    await sleep(Math.min(LOOK_AGAIN_MS, wait - waited), undefined, { signal })
  }
  throw new NoClusterError(
    `no cluster ${cluster}: no key was given, and none was saved in ${await savedKeyFile(cluster)} within ${wait / 1000} s\nStart a peer on this machine with \`p2p-worker join\`, or give the cluster's key with --key, --key-file or P2P_WORKER_KEY.`
  )
}
