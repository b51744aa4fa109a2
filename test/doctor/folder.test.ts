import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Finding } from '../../src/doctor/findings.ts'
import { checkFolder } from '../../src/doctor/folder.ts'
import { backUp } from '../../src/persistence/backup.ts'
import { DataDir } from '../../src/persistence/data-dir.ts'
import { LOSSES } from '../../src/persistence/log/damage-note.ts'
import type { FolderCluster } from '../../src/persistence/peer-state.ts'
import { LAB, makeNewer } from '../persistence/folders.ts'

let parent: string
let folder: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  folder = join(parent, 'peer')
})

afterEach(() => rm(parent, { recursive: true, force: true }))

const content = new Uint8Array(100_000).fill(7)

/** Opens the folder with one entry in it while `use` runs. */
async function used(use: () => unknown): Promise<void> {
  const dir = await DataDir.open({ folder, cluster: LAB })
  try {
    await dir.state.raise({ incarnation: 1 })
    const change = { key: 'a', value: Buffer.from('a'), contents: [content] }
    await new Promise<void>(resolve => dir.log.write([change], resolve))
    await use()
  } finally {
    await dir.close()
  }
}

async function check(cluster: Partial<FolderCluster> = {}, path = folder, isNamed = true): Promise<Finding[]> {
  const findings: Finding[] = []
  await checkFolder(path, { ...LAB, ...cluster }, finding => findings.push(finding), isNamed)
  return findings
}

const finding = (what: string, verdict: Finding['verdict'], text: RegExp): object => ({
  what,
  verdict,
  text: expect.stringMatching(text)
})

/** Changes each file of the log, and returns the contents before. */
async function change(how: (bytes: Buffer) => Buffer): Promise<void> {
  for (const name of (await readdir(join(folder, 'log'))).filter(name => name.endsWith('.log'))) {
    const file = join(folder, 'log', name)
    await writeFile(file, how(await readFile(file)))
  }
}

async function files(): Promise<Record<string, string>> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  const found = names.map(async ({ parentPath, name }) => {
    return [name, (await readFile(join(parentPath, name))).toString('base64')] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

describe('the doctor', () => {
  it('the doctor finds a sound folder that no process uses, its size, its disk, and how long a sync takes', async () => {
    await used(() => {})
    expect(await check()).toEqual([
      finding('data folder', 'fine', /no process uses .*peer$/),
      finding('log', 'fine', /^1 entries, 0\.1 of 0\.1 MiB live$/),
      finding('disk', 'fine', /MiB are free$/),
      finding('disk', expect.stringMatching(/fine|note/) as unknown as 'fine', /^a sync took [\d.]+ ms/)
    ])
    expect((await readdir(folder)).filter(name => name.endsWith('.tmp'))).toEqual([])
  })

  it('the doctor changes nothing in a folder that a peer uses', async () => {
    await used(async () => {
      const before = await files()
      expect(await check()).toEqual([
        finding('data folder', 'fine', /a running peer uses/),
        finding('log', 'fine', /^1 entries/),
        finding('disk', 'fine', /MiB are free$/)
      ])
      expect(await files()).toEqual(before)
    })
  })

  it('the doctor names the cluster of a folder of another cluster', async () => {
    await used(() => {})
    expect(await check({ name: 'office' })).toContainEqual(
      finding('data folder', 'trouble', /cluster lab, not of office: .*--cluster lab/)
    )
  })

  it('the doctor tells damage from a torn end and from a copy', async () => {
    await used(() => backUp(folder, join(parent, 'copy'), new AbortController().signal))
    expect(await check({}, join(parent, 'copy'))).toContainEqual(finding('log', 'note', /its end is missing.*backup/))

    await change(bytes => Buffer.concat([bytes, Buffer.alloc(100)]))
    const torn = await check()
    expect(torn).toContainEqual(finding('log', 'note', /its last 100 bytes are a write that did not end/))
    expect(torn.filter(({ verdict }) => verdict === 'trouble')).toEqual([])

    await change(bytes => {
      const at = bytes.indexOf(content.subarray(0, 1_000))
      if (at >= 0) bytes[at] = 8
      return bytes
    })
    expect(await check()).toContainEqual(finding('log', 'trouble', /1 places are damaged/))
  })

  it('the doctor finds no trouble in old damage once what it took was found again', async () => {
    await used(() => {})
    await change(bytes => {
      bytes[bytes.indexOf('v/a') + 10]! ^= 1
      return bytes
    })
    expect(await check()).toContainEqual(finding('log', 'trouble', /1 places are damaged/))
    const dir = await DataDir.open({ folder, cluster: LAB })
    for (const loss of LOSSES) dir.log.setLost(loss, false)
    await dir.close()
    const after = await check()
    expect(after).toContainEqual(finding('log', 'note', /1 places were damaged, and what they held was found again/))
    expect(after.filter(({ verdict }) => verdict === 'trouble')).toEqual([])
  })

  it('the doctor finds a folder of a newer version, of an older one, and one that is no folder', async () => {
    await used(() => {})
    await makeNewer(folder)
    expect(await check()).toContainEqual(
      finding('log', 'trouble', /a newer version of p2p-worker wrote .*version 99.*use that version again/)
    )

    await rm(join(folder, 'log'), { recursive: true })
    await writeFile(join(folder, 'state.json'), '{"version":1,"cluster":"lab","epoch":0,"addresses":[]}')
    const old = await check({ name: 'office' })
    expect(old).toContainEqual(finding('log', 'note', /an older version wrote the folder/))
    expect(old).toContainEqual(finding('data folder', 'trouble', /belongs to a peer of cluster lab/))

    await rm(folder, { recursive: true })
    await writeFile(folder, '')
    expect(await check()).toEqual([finding('data folder', 'trouble', /it cannot be read: ENOTDIR/)])
  })

  it('the doctor names the cluster id of a folder whose cluster has another key, unless it has no key itself', async () => {
    await used(() => {})
    const id = '0123456789abcdef'
    const found = finding('data folder', 'trouble', new RegExp(`another cluster lab, .*or that key.*\\.${LAB.id}`))
    expect(await check({ id })).toContainEqual(found)
    for (const known of [{}, { id: undefined }])
      expect((await check(known)).filter(({ verdict }) => verdict === 'trouble')).toEqual([])
  })

  it.each([
    ['a missing folder', 'does not exist', async () => {}],
    ['an empty folder', 'holds no identity.key and no log', async () => mkdir(folder)],
    [
      'a folder of something else',
      'holds no identity.key and no log',
      async () => {
        await mkdir(folder)
        await writeFile(join(folder, 'other'), '')
      }
    ]
  ])(
    'the doctor finds that no peer has used %s that the user names, and writes nothing there',
    async (_, text, make) => {
      await make()
      const before = await readdir(parent, { recursive: true })
      const found = expect.stringContaining(text)
      expect(await check()).toEqual([{ what: 'data folder', verdict: 'trouble', text: found }])
      // The variable with the folder may be meant for a peer elsewhere.
      expect(await check({}, folder, false)).toEqual([{ what: 'data folder', verdict: 'note', text: found }])
      expect(await readdir(parent, { recursive: true })).toEqual(before)
    }
  )

  it('the doctor notes that a folder with an identity and no log is the folder of a client, or has lost the jobs of a peer', async () => {
    await used(() => {})
    await rm(join(folder, 'log'), { recursive: true })
    const before = await files()
    expect(await check()).toEqual([
      finding(
        'data folder',
        'note',
        /an identity but no log: the folder of a client, or of a peer that has lost its jobs/
      )
    ])
    expect(await files()).toEqual(before)
  })
})
