/** The protocol of the bare relay, which passes on opaque bytes. */
export const frames = {
  name: 'bench-relay',
  codec: {
    /** @param {Uint8Array} bytes */
    encode: bytes => bytes,
    /** @param {Uint8Array} bytes */
    decode: bytes => bytes
  },
  maxMessageBytes: 64 * 2 ** 20
}
