import type { ProtocolSpec } from '../../src/network/types.ts'

export const frames: ProtocolSpec<Uint8Array>
