/** What tests of data folders share. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { clusterIdentity } from '../../src/network/cluster-key.ts'
import type { FolderCluster } from '../../src/persistence/peer-state.ts'

export const LAB: FolderCluster = { name: 'lab', id: clusterIdentity('lab', undefined).clusterId }

/** Gives the log of a folder a version that this program does not know. Returns the bytes of its files before. */
export async function makeNewer(folder: string): Promise<Map<string, Buffer>> {
  const log = join(folder, 'log')
  const before = new Map<string, Buffer>()
  for (const name of (await readdir(log)).filter(name => name.endsWith('.log'))) {
    const bytes = await readFile(join(log, name))
    before.set(join(log, name), Buffer.from(bytes))
    const version = bytes.indexOf('\n') + 1
    bytes[version] = 99
    bytes.writeUInt32LE(crc32(bytes.subarray(0, version + 1)), version + 1)
    await writeFile(join(log, name), bytes)
  }
  return before
}
