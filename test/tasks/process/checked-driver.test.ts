import { describe, expect, it } from 'vitest'
import type { Checkpoint, FoldState, Pulled } from '../../../src/tasks/execute/checkpoint.ts'
import type { JobDriver } from '../../../src/tasks/execute/driver.ts'
import { PROCESS_ENDED } from '../../../src/tasks/execute/failure.ts'
import { CheckedDriver } from '../../../src/tasks/process/checked-driver.ts'
import { pack } from '../../../src/tasks/values/pack.ts'

const bytes = (count: number) => pack(Array.from({ length: count }, () => Uint8Array.of(1)))
const digest = new Uint8Array(32)
const pulled = (first: number, count: number, more: Partial<Pulled> = {}): Pulled => ({
  first,
  chunks: bytes(count),
  digests: new Uint8Array(16 * count),
  digest,
  done: false,
  ...more
})

/** A driver that returns these answers, whatever the request is. */
function lying(answers: {
  pull?: Pulled[]
  fold?: FoldState[]
  checkpoint?: Checkpoint
  next?: number
}): CheckedDriver {
  const driver: JobDriver = {
    pull: async () => answers.pull!.shift()!,
    fold: async () => answers.fold!.shift()!,
    kind: async () => 'folded',
    checkpoint: async () => answers.checkpoint,
    checkpointMs: 0,
    finish: async () => digest,
    close: async () => {}
  }
  return new CheckedDriver(driver, answers.next ?? 0)
}

const refused = { failure: { name: PROCESS_ENDED } }

describe('the checked driver', () => {
  it('the checked driver accepts answers that match its requests', async () => {
    const driver = lying({
      pull: [pulled(5, 3), pulled(8, 0, { done: true })],
      fold: [
        { kind: 'folded', next: 6, bytes: 1 },
        { kind: 'folded', next: 8, bytes: 1 }
      ],
      checkpoint: { kind: 'folded', next: 8, digest, accumulator: digest },
      next: 5
    })
    expect((await driver.pull(3)).first).toBe(5)
    expect((await driver.pull(3)).done).toBe(true)
    await driver.fold(5, bytes(2))
    await driver.fold(7, bytes(1))
    expect(await driver.kind()).toBe('folded')
    expect((await driver.checkpoint())?.next).toBe(8)
  })

  it.each([
    ['chunks that are not the next ones', pulled(1, 1)],
    ['more chunks than requested', pulled(0, 5)],
    ['no chunks although more remain', pulled(0, 0)],
    ['an invalid digest', pulled(0, 1, { digest: new Uint8Array(3) })],
    ['a round without chunks', pulled(0, 1, { roundOf: 0 })]
  ])('the checked driver fails when the process returns %s', async (_, answer) => {
    await expect(lying({ pull: [answer] }).pull(4)).rejects.toMatchObject(refused)
  })

  it.each([
    ['more chunks than it received', [{ kind: 'folded', next: 9, bytes: 1 }]],
    [
      'fewer chunks than before',
      [
        { kind: 'folded', next: 2, bytes: 1 },
        { kind: 'folded', next: 1, bytes: 1 }
      ]
    ],
    [
      'in another way than before',
      [
        { kind: 'folded', next: 2, bytes: 1 },
        { kind: 'appended', next: 2, bytes: 1 }
      ]
    ]
  ] as [string, FoldState[]][])(
    'the checked driver fails when the process reports that it has folded %s',
    async (_, answers) => {
      const driver = lying({ fold: [...answers] })
      const folds = async () => {
        for (let at = 0; at < answers.length; at++) await driver.fold(2 * at, bytes(2))
      }
      await expect(folds()).rejects.toMatchObject(refused)
    }
  )

  it('the checked driver refuses a checkpoint of more partials than the process has folded', async () => {
    const checkpoint = { kind: 'folded', next: 1, digest, accumulator: digest } as const
    await expect(lying({ checkpoint }).checkpoint()).rejects.toMatchObject(refused)
  })
})
