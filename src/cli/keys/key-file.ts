/** Files of keys: one a line, the first is dialled with; what follows a `#`, and lines without anything else, do not count. */
import { readFile, realpath, stat } from 'node:fs/promises'
import { InvalidOptionError } from '../../common/errors.ts'
import { parseClusterKey } from '../../network/cluster-key.ts'
import { say } from '../terminal/output.ts'

/** Bits of a mode that let the group or others in. */
const OTHERS = 0o077
/** Where containers get their secrets, open to all within. */
const SECRETS_MOUNT = /^(?:\/var)?\/run\/secrets\//

/**
 * At least one key, each checked.
 *
 * @param origin - where the text comes from
 * @throws InvalidOptionError, which tells the line, and never what is in it
 */
export function parseKeys(text: string, origin: string): [string, ...string[]] {
  const lines = text.split('\n').map(line => line.replace(/#.*/, '').trim())
  const isOne = lines.filter(line => line !== '').length === 1
  const keys = lines.flatMap((line, at) => {
    if (line === '') return []
    try {
      parseClusterKey(line)
      return [line]
    } catch (cause) {
      throw new InvalidOptionError(`${origin}${isOne ? '' : `, line ${at + 1}`}: ${(cause as Error).message}`, {
        cause
      })
    }
  })
  const [first, ...rest] = keys
  if (first === undefined) throw new InvalidOptionError(`${origin} holds no key: \`p2p-worker keygen\` prints one`)
  const twice = rest.find((key, at) => key === first || rest.indexOf(key) !== at)
  if (twice !== undefined) throw new InvalidOptionError(`${origin} holds one key twice`)
  return [first, ...rest]
}

const warned = new Set<string>()

/**
 * The keys of a file that an option names; says so once where other users of the machine can read it, too.
 *
 * @throws InvalidOptionError
 */
export async function readKeyFile(file: string, option: string): Promise<[string, ...string[]]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
    if (!warned.has(file) && (await isOpen(file))) {
      warned.add(file)
      say(`warning: other users of this machine can read the key in ${file}: run \`chmod 600 ${file}\``)
    }
  } catch (cause) {
    throw new InvalidOptionError(`option '${option}': ${(cause as Error).message}`, { cause })
  }
  return parseKeys(text, file)
}

/** Files of somebody else, such as a secret of a container that root owns, are not for this user to close. */
async function isOpen(file: string): Promise<boolean> {
  const stats = await stat(file)
  if (!stats.isFile() || stats.uid !== process.getuid?.() || (stats.mode & OTHERS) === 0) return false
  return !SECRETS_MOUNT.test(await realpath(file))
}
