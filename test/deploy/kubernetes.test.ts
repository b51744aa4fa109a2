import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { checkJournal } from '../../src/api/options.ts'

it('the volume of a pod in Kubernetes has room for a full journal, whose files take up to twice its bound', () => {
  const manifest = readFileSync(new URL('../../deploy/kubernetes.yaml', import.meta.url), 'utf8')
  const [, gibibytes] = /storage: (\d+)Gi$/m.exec(manifest)!
  expect(manifest).not.toContain('name: P2P_WORKER_JOURNAL_MB')
  expect(Number(gibibytes) * 1_024).toBeGreaterThan(2 * checkJournal({ insecure: true, dataDir: '/data/peer' }))
})
