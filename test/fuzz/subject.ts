import type { Random } from './random.ts'
import type { Frame, World } from './world/world.ts'

/** One protocol or topic, and how its hostile frames are made. */
export interface Subject {
  readonly name: string
  readonly kind: 'protocol' | 'topic'
  /** Draws mostly valid frames, which the fuzzer then changes. */
  pool(world: World, random: Random): Uint8Array[]
  /** Makes a frame with a forbidden content that the hostile member has signed, for protocols with signatures. */
  crafted?(world: World, random: Random): Uint8Array
  /** Whether a frame is left out because it does a harm that docs/security.md permits to a member. */
  spares?(frame: Frame): boolean
  /** Describes a forbidden effect of this protocol, beside the effects that a world checks for all protocols. */
  harm?(world: World): string | undefined
  /** The peers that handle this protocol. Default: all. */
  victims?: readonly Frame['to'][]
}
