/**
 * Reads key files. A key file contains one key a line, and a peer dials with the first key. `#` starts a comment; blank
 * lines are ignored.
 */
import { readFile, realpath, stat } from 'node:fs/promises'
import { InvalidOptionError } from '../../common/errors.ts'
import { parseClusterKey } from '../../network/cluster-key.ts'
import { say } from '../terminal/output.ts'

/** The permission bits that give the group or other users access. */
const OTHERS = 0o077
/** The folder in which container secrets are mounted. Every user of the container can read its files. */
const SECRETS_MOUNT = /^(?:\/var)?\/run\/secrets\//

/**
 * Parses and checks the keys of a file. The result contains at least one key.
 *
 * @param origin - the source of the text, for errors
 * @throws InvalidOptionError with the number of the invalid line, but never with the content of the line
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
 * Reads the key file that an option names. Prints one warning if other users of the machine can read the file.
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

/**
 * Whether other users can read a file of this user. Returns false for a file of another user, such as a container
 * secret of root, because this user cannot change the mode of the file.
 */
async function isOpen(file: string): Promise<boolean> {
  const stats = await stat(file)
  if (!stats.isFile() || stats.uid !== process.getuid?.() || (stats.mode & OTHERS) === 0) return false
  return !SECRETS_MOUNT.test(await realpath(file))
}
