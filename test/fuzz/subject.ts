import type { Random } from './random.ts'
import type { Frame, World } from './world/world.ts'

/** One protocol or topic, and how hostile frames of it are made. */
export interface Subject {
  readonly name: string
  readonly kind: 'protocol' | 'topic'
  /** Valid frames, more or less: they are what is changed. */
  pool(world: World, random: Random): Uint8Array[]
  /** A frame that the hostile member has signed, and that says what it must not; where this protocol has such. */
  crafted?(world: World, random: Random): Uint8Array
  /** What a member may say and does harm, as docs/security.md tells: it is not sent. */
  spares?(frame: Frame): boolean
  /** What has come of it that must not, beside what a world looks at for all of them. */
  harm?(world: World): string | undefined
  /** Only these have its handlers. Default: all. */
  victims?: readonly Frame['to'][]
}
