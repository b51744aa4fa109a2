/** Which key and which cluster a command line means: `--key`, `--key-file`, `--insecure`, or a token, which says all of it. */
import { InvalidOptionError } from '../../common/errors.ts'
import { decodeToken, type Token } from '../keys/token.ts'

export interface KeyFlags {
  key?: string
  keyFile?: string
  insecure?: boolean
  /** What was in the token that counts. */
  token?: Token
}

/** As the options give it. */
export interface AccessFlags extends Omit<KeyFlags, 'token'> {
  cluster: string
  bootstrap?: string[]
  token?: string
}

/** Where an option comes from: `cli`, `env`, or nowhere of these. */
export type Source = (name: keyof AccessFlags) => string | undefined

const NAMES = { key: '--key', keyFile: '--key-file', insecure: '--insecure', cluster: '--cluster' } as const
const kinds = ['key', 'keyFile', 'insecure'] as const

/**
 * Of `--key`, `--key-file` and `--insecure` at most one may be given; one on the command line overrides the environment.
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
 * The one key that counts, with its cluster and its addresses.
 *
 * @throws InvalidOptionError when one thing is said twice, or a token is malformed; it never holds a secret
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
  // One that does not count may be anything.
  if (place === 'env' && [source('key'), source('keyFile')].includes('cli')) return withoutToken()
  const token = place === 'env' ? decodeVariable(text) : decodeToken(text)
  // Of what else was said, that which is about the same.
  const clashes = (from: string): string[] =>
    (['key', 'keyFile', 'insecure', 'cluster'] as const)
      .filter(name => flags[name] !== undefined && source(name) === from)
      .filter(name => name !== 'insecure' || token.key !== undefined)
      // In the environment both may well be said, when they say the same.
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
      `this token is of a cluster without a key, ${token.cluster}: whoever reaches the port of one of its peers may run code there. If that is what you want, add --insecure`
    )
  }
  return {
    ...others,
    cluster: token.cluster,
    bootstrap: [...(flags.bootstrap ?? []), ...token.addresses],
    ...(token.key === undefined ? { insecure: true } : { token })
  }
}

/** @throws InvalidOptionError which says where it comes from: nobody has typed it */
function decodeVariable(text: string): Token {
  try {
    return decodeToken(text)
  } catch (cause) {
    throw new InvalidOptionError(`P2P_WORKER_TOKEN: ${(cause as Error).message}`, { cause })
  }
}
