/**
 * A token contains all the data that a machine needs to join, in characters that shells and URLs leave unchanged. After
 * `p2pw1_`, the token encodes in base64url: flags, the key and the id of its cluster, the name of the cluster,
 * addresses, and a checksum. The checksum detects a damaged copy.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { InvalidOptionError } from '../../common/errors.ts'
import { checkClusterName, parseClusterKey } from '../../network/cluster-key.ts'

export interface Token {
  cluster: string
  /** The cluster's key; undefined for a cluster without a key. */
  key: string | undefined
  /** Multiaddrs of peers. */
  addresses: string[]
}

const PREFIX = 'p2pw1_'
/** The form of a token of any version. */
export const TOKEN_FORM = /p2pw\d+_[A-Za-z0-9_-]+/g
/** An upper limit of the length of a token. The longest valid token is shorter. */
const MOST_CHARACTERS = 4_000
export const MOST_ADDRESSES = 8
const MOST_ADDRESS = 255
const HAS_KEY = 1
const HAS_ID = 2
const SECRET_BYTES = 32
const ID_BYTES = 8
const CHECKSUM_BYTES = 6
/**
 * Marks an IPv4 address, which has a short form because most addresses are IPv4. An address in text form begins with
 * its length, which is never 0.
 */
const IP4 = 0
const IP4_FORM = /^\/ip4\/(\d+)\.(\d+)\.(\d+)\.(\d+)\/tcp\/(\d+)$/
const ADDRESS_FORM = /^\/(?:ip4|ip6|dns|dns4|dns6)\/[!-.0-~]+\/tcp\/\d{1,5}(?:\/p2p\/[A-Za-z0-9]+)?$/

/** @throws InvalidOptionError when the content does not fit into a token */
export function encodeToken({ cluster, key, addresses }: Token): string {
  checkClusterName(cluster)
  const parts: Uint8Array[] = []
  if (key === undefined) parts.push(Uint8Array.of(0))
  else {
    const { secret, clusterId } = parseClusterKey(key)
    parts.push(Uint8Array.of(HAS_KEY | (clusterId === undefined ? 0 : HAS_ID)), secret)
    if (clusterId !== undefined) parts.push(Buffer.from(clusterId, 'hex'))
  }
  parts.push(withLength(cluster), Uint8Array.of(addresses.length))
  if (addresses.length > MOST_ADDRESSES)
    throw new InvalidOptionError(`a token holds at most ${MOST_ADDRESSES} addresses, and not ${addresses.length}`)
  for (const address of addresses) parts.push(encodeAddress(address))
  const content = Buffer.concat(parts)
  return PREFIX + Buffer.concat([content, checksum(content)]).toString('base64url')
}

/** @throws InvalidOptionError; the message contains no part of the token */
export function decodeToken(text: string): Token {
  const token = text.trim()
  const version = /^p2pw(\d+)_/.exec(token)
  if (version === null) throw wrong('does not begin with p2pw1_')
  if (!token.startsWith(PREFIX)) throw wrong('is of another version of p2p-worker: make one with this version')
  if (token.length > MOST_CHARACTERS) throw wrong('is too long')
  const coded = token.slice(PREFIX.length)
  const bytes = Buffer.from(coded, 'base64url')
  if (bytes.toString('base64url') !== coded || bytes.length <= CHECKSUM_BYTES) throw damaged()
  const content = bytes.subarray(0, -CHECKSUM_BYTES)
  if (!timingSafeEqual(checksum(content), bytes.subarray(-CHECKSUM_BYTES))) throw damaged()
  return decodeContent(new Reader(content))
}

/** Decodes content with a valid checksum. The content may still be malicious, so each field is checked. */
function decodeContent(reader: Reader): Token {
  const flags = reader.byte()
  if (flags > (HAS_KEY | HAS_ID) || flags === HAS_ID) throw damaged()
  let key: string | undefined
  if (flags !== 0) {
    key = Buffer.from(reader.bytes(SECRET_BYTES)).toString('base64url')
    if ((flags & HAS_ID) !== 0) key += `.${Buffer.from(reader.bytes(ID_BYTES)).toString('hex')}`
  }
  const cluster = reader.text(reader.byte())
  checkClusterName(cluster)
  const count = reader.byte()
  if (count > MOST_ADDRESSES) throw damaged()
  const addresses = Array.from({ length: count }, () => decodeAddress(reader))
  if (!reader.isAtEnd) throw damaged()
  return { cluster, key, addresses }
}

function encodeAddress(address: string): Uint8Array {
  const numbers = IP4_FORM.exec(address)?.slice(1).map(Number)
  if (numbers !== undefined && isAddress(numbers)) {
    const [port = 0] = numbers.splice(4)
    return Uint8Array.of(IP4, ...numbers, port >> 8, port & 0xff)
  }
  // Characters outside ASCII take several bytes and would be decoded differently.
  if (/[^\x20-\x7e]/.test(address))
    throw new InvalidOptionError(
      `${JSON.stringify(address.slice(0, MOST_ADDRESS))} is no address for a token: write the name in ASCII, which is its xn-- form`
    )
  if (address.length > MOST_ADDRESS || !ADDRESS_FORM.test(address))
    throw new InvalidOptionError(`${JSON.stringify(address.slice(0, MOST_ADDRESS))} is no address for a token`)
  return withLength(address)
}

function isAddress([a = 256, b = 256, c = 256, d = 256, port = 65_536]: number[]): boolean {
  return Math.max(a, b, c, d) < 256 && port < 65_536
}

function decodeAddress(reader: Reader): string {
  const length = reader.byte()
  if (length === IP4) {
    const [a, b, c, d, high = 0, low = 0] = reader.bytes(6)
    return `/ip4/${a}.${b}.${c}.${d}/tcp/${high * 256 + low}`
  }
  const text = reader.text(length)
  if (!ADDRESS_FORM.test(text)) throw damaged()
  return text
}

function withLength(text: string): Uint8Array {
  return Buffer.from([text.length, ...Buffer.from(text, 'latin1')])
}

function checksum(content: Uint8Array): Uint8Array {
  return createHash('sha256').update('p2p-worker token 1\0').update(content).digest().subarray(0, CHECKSUM_BYTES)
}

function wrong(what: string): InvalidOptionError {
  return new InvalidOptionError(`the token ${what}; \`p2p-worker invite\` prints one`)
}

function damaged(): InvalidOptionError {
  return wrong('is damaged, or a part of it is missing: copy the whole of it')
}

class Reader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  bytes(count: number): Uint8Array {
    const end = this.#at + count
    if (end > this.#bytes.length) throw damaged()
    const bytes = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return bytes
  }

  byte(): number {
    return this.bytes(1)[0] as number
  }

  text(length: number): string {
    const text = Buffer.from(this.bytes(length)).toString('latin1')
    if (/[^\x21-\x7e]/.test(text)) throw damaged()
    return text
  }
}
