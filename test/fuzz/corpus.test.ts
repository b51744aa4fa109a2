import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readCorpus, replay } from './corpus.ts'
import { targetNamed } from './targets.ts'

it.each(readCorpus(join(import.meta.dirname, 'corpus')))(
  'the recorded frames of %s do no harm',
  async (_file, entry) => {
    expect(await replay(targetNamed(entry.target), entry)).toBeUndefined()
  }
)
