import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseKeys, readKeyFile } from '../../../src/cli/keys/key-file.ts'
import { generateClusterKey, replacementKey } from '../../../src/network/cluster-key.ts'

const key = generateClusterKey()
const other = replacementKey('lab', key)

describe('a file of keys', () => {
  it('a key file has one key a line, in order, and may have comments and empty lines', () => {
    expect(parseKeys(`# new\n${other}\n\n  ${key}  # until Friday\r\n`, 'f')).toEqual([other, key])
    expect(parseKeys(key, 'f')).toEqual([key])
  })

  it('a key file is refused with the number of the invalid line, but without its content', () => {
    const broken = key.slice(0, 40)
    const read = (text: string): string => {
      try {
        parseKeys(text, 'lab.key')
        return 'nothing'
      } catch (error) {
        return String(error)
      }
    }
    expect(read(`${key}\n\n${broken}\n`)).toContain('lab.key, line 3: the cluster key has 40 characters')
    expect(read(broken)).toContain('lab.key: the cluster key has 40')
    expect(read(`${key}\n${key}\n`)).toContain('lab.key holds one key twice')
    expect(read('# nothing\n')).toContain('lab.key holds no key')
    for (const text of [`${key}\n${broken}`, broken, `${key}\n${key}`]) expect(read(text)).not.toContain(broken)
  })
})

describe('a file of keys that others can read', () => {
  let home: string
  const said: string[] = []

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
    said.length = 0
    vi.spyOn(process.stderr, 'write').mockImplementation(text => {
      said.push(String(text))
      return true
    })
  })

  afterEach(async () => {
    vi.restoreAllMocks()
    await rm(home, { recursive: true, force: true })
  })

  it('a key file that other users can read is used, and causes one warning', async () => {
    const file = join(home, 'lab.key')
    await writeFile(file, `${key}\n`)
    await chmod(file, 0o644)
    expect(await readKeyFile(file, '--key-file')).toEqual([key])
    expect(await readKeyFile(file, '--key-file')).toEqual([key])
    expect(said.join('')).toBe(
      `warning: other users of this machine can read the key in ${file}: run \`chmod 600 ${file}\`\n`
    )
  })

  it('a key file causes no warning when no other user can read it', async () => {
    const file = join(home, 'mine.key')
    await writeFile(file, `${key}\n`, { mode: 0o600 })
    await readKeyFile(file, '--key-file')
    expect(said).toEqual([])
  })

  it('a key file of another user, such as a container secret, causes no warning', async () => {
    const file = join(home, 'secret.key')
    await writeFile(file, `${key}\n`)
    await chmod(file, 0o444)
    const another = process.getuid!() + 1
    vi.spyOn(process, 'getuid').mockReturnValue(another)
    await readKeyFile(file, '--key-file')
    expect(said).toEqual([])
  })
})
