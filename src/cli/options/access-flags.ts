/**
 * Determines the key and the cluster of a command line. They come from `--key`, `--key-file` or `--insecure`, or from a
 * token, which contains both.
 */
import { InvalidOptionError } from '../../common/errors.ts'
import { decodeToken, type Token } from '../keys/token.ts'

export interface KeyFlags {
  key?: string
  keyFile?: string
  insecure?: boolean
  /** The decoded token, if the key comes from a token. */
  token?: Token
}

/** The raw values of the options. */
export interface AccessFlags extends Omit<KeyFlags, 'token'> {
  cluster: string
  bootstrap?: string[]
  token?: string
}

/** Returns the source of the value of an option: `cli`, `env`, or another source. */
export type Source = (name: keyof AccessFlags) => string | undefined

const NAMES = { key: '--key', keyFile: '--key-file', insecure: '--insecure', cluster: '--cluster' } as const
const kinds = ['key', 'keyFile', 'insecure'] as const

/**
 * Returns the one option among `--key`, `--key-file` and `--insecure` that applies. The command line overrides the
 * environment.
 */
export function onlyOneKey(flags: Omit<KeyFlags, 'token'>, source: Source): KeyFlags {
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

/**
 * Returns the key that applies, the name of the cluster, and the addresses.
 *
 * @throws InvalidOptionError when two options contradict each other, or a token is malformed; the message never
 * contains a secret
 */
export function accessOf(
  { token: text, ...flags }: AccessFlags,
  source: Source
): Omit<AccessFlags, 'token'> & KeyFlags {
  const { key, keyFile, insecure, ...others } = flags
  const withoutToken = (): Omit<AccessFlags, 'token'> & KeyFlags => ({
    ...others,
    ...onlyOneKey({ key, keyFile, insecure } as KeyFlags, source)
  })
  if (text === undefined) return withoutToken()
  const place = source('token') === 'env' ? 'env' : 'cli'
  // A token from the environment is not even decoded when the command line overrides it.
  if (place === 'env' && [source('key'), source('keyFile')].includes('cli')) return withoutToken()
  const token = place === 'env' ? decodeVariable(text) : decodeToken(text)
  // Lists the options from one source that contradict the token.
  const clashes = (from: string): string[] =>
    (['key', 'keyFile', 'insecure', 'cluster'] as const)
      .filter(name => flags[name] !== undefined && source(name) === from)
      .filter(name => name !== 'insecure' || token.key !== undefined)
      // The environment may also contain the name of the cluster, if the token contains the same name.
      .filter(name => name !== 'cluster' || place === 'cli' || flags.cluster !== token.cluster)
      .map(name => NAMES[name])
  if (place === 'env' && clashes('cli').length > 0) return withoutToken()
  const [clash] = clashes(place)
  if (clash !== undefined) {
    throw new InvalidOptionError(
      `${clash} and the token contradict each other${place === 'env' ? ' (in the environment)' : ''}: a token says which cluster it is and which key it has`
    )
  }
  if (token.key === undefined && insecure !== true) {
    throw new InvalidOptionError(
      `this token is of a cluster without a key, ${token.cluster}: anyone who reaches the port of one of its peers may run code there. If that is what you want, add --insecure`
    )
  }
  return {
    ...others,
    cluster: token.cluster,
    bootstrap: [...(flags.bootstrap ?? []), ...token.addresses],
    ...(token.key === undefined ? { insecure: true } : { token })
  }
}

/** @throws InvalidOptionError with the name of the variable, because the user did not type the token */
function decodeVariable(text: string): Token {
  try {
    return decodeToken(text)
  } catch (cause) {
    throw new InvalidOptionError(`P2P_WORKER_TOKEN: ${(cause as Error).message}`, { cause })
  }
}
