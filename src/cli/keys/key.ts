/**
 * Selects the keys of a command. The command line has precedence over the environment, and the environment over the
 * saved keys.
 */
import { InvalidOptionError, NoClusterError } from '../../common/errors.ts'
import { parseClusterKey } from '../../network/cluster-key.ts'
import type { KeyFlags } from '../options/access-flags.ts'
import { parseKeys, readKeyFile } from './key-file.ts'
import { type Adoption, adoptKey, readOrMakeKey, readSavedKey, savedKeyFile } from './saved-key.ts'

/** The key options of `join` and `connect`. */
export type KeyOptions = { key: string | [string, ...string[]] } | { insecure: true }

/** A file from which the keys can be reread. */
export interface KeySource {
  file: string
  read(): Promise<[string, ...string[]]>
}

/** The keys of a peer. */
export interface PeerKeys {
  options: KeyOptions
  /** The file of the keys; undefined when the options contain the key itself. */
  source: KeySource | undefined
  /** The new key and its file, if the command created a key. */
  made?: { key: string; file: string }
  /** The outcome of saving the key of a token, if the command got a token. */
  adoption?: Adoption
}

/** The interval at which a client checks for a saved key, in ms. */
const LOOK_AGAIN_MS = 200

/** Checks a key. An error names the origin of the key, but never the key itself. */
function checkedKey(key: string, origin: string): { key: string } {
  try {
    parseClusterKey(key)
    return { key }
  } catch (cause) {
    throw new InvalidOptionError(`${origin}: ${(cause as Error).message}`, { cause })
  }
}

async function givenKey(flags: KeyFlags): Promise<KeyOptions | undefined> {
  if (flags.insecure) return { insecure: true }
  if (flags.token?.key !== undefined) return { key: flags.token.key }
  if (flags.keyFile !== undefined) return { key: await readKeyFile(flags.keyFile, '--key-file') }
  return flags.key === undefined ? undefined : checkedKey(flags.key, "option '--key'")
}

/** @param first - a key that precedes the keys of the file, for this run only */
function savedSource(cluster: string, file: string, first?: string): KeySource {
  return {
    file,
    async read() {
      const saved = await readSavedKey(cluster)
      if (saved === undefined) throw new InvalidOptionError(`the saved key ${file} is gone`)
      return withFirst(first, parseKeys(saved, file))
    }
  }
}

function withFirst(first: string | undefined, keys: [string, ...string[]]): [string, ...string[]] {
  return first === undefined || keys.includes(first) ? keys : [first, ...keys]
}

/** Returns the keys for a peer. Creates and saves a key if there is no key, and saves the key of a token. */
export async function keyForJoin(flags: KeyFlags, cluster: string, make: () => string): Promise<PeerKeys> {
  const { keyFile, token } = flags
  const given = await givenKey(flags)
  if (token?.key !== undefined) {
    const adoption = await adoptKey(cluster, token.key)
    const { file, text } = adoption
    if (text === undefined) return { options: { key: token.key }, source: undefined, adoption }
    // The key of a token applies to this run even if the key is not saved.
    const first = adoption.saved === 'other' ? token.key : undefined
    const key = withFirst(first, parseKeys(text, file))
    return { options: { key }, source: savedSource(cluster, file, first), adoption }
  }
  if (given !== undefined) {
    const source = keyFile === undefined ? undefined : { file: keyFile, read: () => readKeyFile(keyFile, '--key-file') }
    return { options: given, source }
  }
  const { key, file, made } = await readOrMakeKey(cluster, make)
  const keys = { options: { key: parseKeys(key, file) }, source: savedSource(cluster, file) }
  return made ? { ...keys, made: { key, file } } : keys
}

/** Returns the keys that a client would use, and a finding about their source. The finding never contains a key. */
export async function keyForDoctor(
  flags: KeyFlags,
  cluster: string
): Promise<{
  keys: readonly string[] | undefined
  finding: { what: string; verdict: 'fine' | 'note' | 'trouble'; text: string }
}> {
  const given = await givenKey(flags)
  const finding = (verdict: 'fine' | 'note' | 'trouble', text: string) => ({ what: 'key', verdict, text })
  if (given !== undefined && 'insecure' in given) {
    return { keys: undefined, finding: finding('note', '--insecure: only clusters without a key let this machine in') }
  }
  const where = flags.keyFile ?? `the one ${flags.token === undefined ? 'that was given' : 'of the token'}`
  if (given !== undefined) return { keys: [given.key].flat(), finding: finding('fine', where) }
  const file = await savedKeyFile(cluster)
  const saved = await readSavedKey(cluster)
  if (saved !== undefined) return { keys: parseKeys(saved, file), finding: finding('fine', `the saved one, ${file}`) }
  const text = `none was given, and ${file} does not exist: without a key only a cluster that was started with --insecure can be joined. Give --token, --key or --key-file`
  return { keys: undefined, finding: finding('trouble', text) }
}

/**
 * Returns the keys for a client. If no key is saved, a `join` that is starting may save a key soon, so this function
 * waits for a key within `wait`. `waited` is the time that this function waited, in ms.
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
    if (saved !== undefined) return { key: { key: parseKeys(saved, await savedKeyFile(cluster)) }, waited }
    if (waited >= wait) break
    await sleep(Math.min(LOOK_AGAIN_MS, wait - waited), undefined, { signal })
  }
  throw new NoClusterError(
    `no cluster ${cluster}: no key was given, and none was saved in ${await savedKeyFile(cluster)} within ${wait / 1000} s\nStart a peer on this machine with \`p2p-worker join\`, or give the cluster's key with --token, --key-file, --key or their variables (P2P_WORKER_KEY).`
  )
}
