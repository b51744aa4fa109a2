/** The limits of a record. Lengths are in UTF-16 code units. */
export const RECORD_LIMITS = {
  addresses: 16,
  addressLength: 256,
  tags: 32,
  tagKeyLength: 64,
  tagValueLength: 256,
  versionLength: 64,
  nodeLength: 64,
  hostLength: 64,
  electorateLength: 64,
  slots: 4_096,
  peerIdLength: 64,
  /** The size of payload and signature together, in bytes. */
  envelopeBytes: 8 * 1024
} as const
