import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { InvalidOptionError } from '../../src/common/errors.ts'
import type { Finding } from '../../src/doctor/findings.ts'
import { checkFolder } from '../../src/doctor/folder.ts'
import { acceptLoss } from '../../src/persistence/accept-loss.ts'
import { DataDir } from '../../src/persistence/data-dir.ts'
import { LOSSES, type Loss } from '../../src/persistence/log/damage-note.ts'
import { LAB, makeNewer } from './folders.ts'

let parent: string
let folder: string

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'p2p-worker-test-'))
  folder = join(parent, 'peer')
})

afterEach(() => rm(parent, { recursive: true, force: true }))

/** Opens the folder while `use` runs, and then writes to it. Returns what is lost there. */
async function used(use: (dir: DataDir) => unknown = () => {}): Promise<Loss[]> {
  const dir = await DataDir.open({ folder, cluster: LAB })
  try {
    for await (const _ of dir.log.values());
    await use(dir)
    const incarnation = (dir.state.remembered.incarnation ?? 0) + 1
    await dir.state.raise({ incarnation })
    return LOSSES.filter(loss => dir.log.hasLost(loss))
  } finally {
    await dir.close()
  }
}

/** Cuts off what the last process has written to the log. */
async function cut(): Promise<void> {
  const log = join(folder, 'log')
  for (const name of (await readdir(log)).filter(name => name.endsWith('.log'))) {
    const bytes = await readFile(join(log, name))
    await writeFile(join(log, name), bytes.subarray(0, bytes.byteLength / 2))
  }
}

async function doctor(): Promise<Finding[]> {
  const findings: Finding[] = []
  await checkFolder(folder, LAB, finding => findings.push(finding))
  return findings
}

describe('a data folder that has lost something', () => {
  beforeEach(async () => {
    expect(await used()).toEqual([])
    await used()
    await cut()
  })

  it('knows so after each restart, until it is told that all was found', async () => {
    expect(await used()).toEqual(['entries', 'promises'])
    expect(await used()).toEqual(['entries', 'promises'])
    expect(await used(({ log }) => log.setLost('entries', false))).toEqual(['promises'])
    expect(await used(({ state }) => state.foundPromises())).toEqual([])
    expect(await used()).toEqual([])
  })

  it('is a finding of the doctor, before and after the next start', async () => {
    const found = { what: 'log', verdict: 'note', text: expect.stringContaining('it has lost jobs or promises') }
    expect(await doctor()).toContainEqual(found)
    await used()
    expect(await doctor()).toContainEqual(found)
    await used(({ log }) => log.setLost('entries', false))
    expect(await doctor()).toContainEqual({ ...found, text: expect.stringContaining('it has lost promises') })
  })

  it('has lost nothing any more when a user accepts the loss', async () => {
    expect(await acceptLoss(folder)).toEqual(['entries', 'promises'])
    expect(await acceptLoss(folder)).toEqual([])
    expect(await used()).toEqual([])
  })

  it('is not changed by this version if a newer one wrote it, and the error says to use that one', async () => {
    const before = await makeNewer(folder)
    const refused = await acceptLoss(folder).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(InvalidOptionError)
    expect(String(refused)).toMatch(/a newer version of p2p-worker wrote the data folder.*use that version again/)
    for (const [file, bytes] of before) await writeFile(file, bytes)
    expect(await used()).toEqual(['entries', 'promises'])
  })

  it('is not changed while a peer uses it', async () => {
    await used(async () => {
      await expect(acceptLoss(folder)).rejects.toThrow(InvalidOptionError)
    })
    expect(await used()).toEqual(['entries', 'promises'])
  })
})

it('a loss is accepted only in a folder that a peer has used', async () => {
  await expect(acceptLoss(parent)).rejects.toThrow(/no folder that a peer has used/)
  expect(await readdir(parent)).toEqual([])
})
