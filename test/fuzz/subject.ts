import type { Random } from './random.ts'
import type { Frame, World } from './world/world.ts'

/** One protocol or topic, and how its hostile frames are made. */
export interface Subject {
  readonly name: string
  readonly kind: 'protocol' | 'topic'
  /** Draws frames that are mostly valid. The fuzzer then changes these frames. */
  pool(world: World, random: Random): Uint8Array[]
  /** Makes a frame whose content is forbidden but validly signed by the hostile member. Only for protocols with signatures. */
  crafted?(world: World, random: Random): Uint8Array
  /** Returns whether the fuzzer omits a frame, because docs/security.md says that a member can do the harm that this frame does. */
  spares?(frame: Frame): boolean
  /** Describes a forbidden effect that only this protocol can have. The world checks the forbidden effects that any protocol can have. */
  harm?(world: World): string | undefined
  /** The peers that handle this protocol. Default: all peers. */
  victims?: readonly Frame['to'][]
}
