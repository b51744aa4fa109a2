import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { LeaseStore } from '../../../src/election/store/lease-store.ts'
import { describeLeaseStore } from './lease-store-contract.ts'

const example = new URL('../../../examples/file-lease.mjs', import.meta.url).href
const { fileLease }: { fileLease: (options: { folder: string }) => LeaseStore } = await import(example)

describeLeaseStore('of plain files in examples/file-lease.mjs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'p2p-worker-lease-'))
  return { open: () => fileLease({ folder }), remove: () => rm(folder, { recursive: true }) }
})
