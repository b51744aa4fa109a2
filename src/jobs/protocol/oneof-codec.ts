/** Codecs of protobuf messages that have one optional field for each kind of message (a `oneof` that keeps its fields optional). */
import { check } from './wire-parts.ts'

/** The field that carries one kind of message, and how that kind is encoded and decoded. */
type Kind<Message, Wire> = {
  [Field in keyof Wire]-?: {
    field: Field
    encode(message: Message): NonNullable<Wire[Field]>
    /**
     * Throws an InvalidMessageError on content that is out of range. Absent if another kind of message uses the same
     * field and decodes the field.
     */
    decode?(part: NonNullable<Wire[Field]>): Content<Message> | Message
  }
}[keyof Wire]

type Content<Message> = Message extends unknown ? Omit<Message, 'type'> : never

export type Kinds<Message extends { type: string }, Wire> = {
  [Type in Message['type']]: Kind<Extract<Message, { type: Type }>, Wire>
}

interface AnyKind {
  field: string
  encode(message: unknown): unknown
  decode?(part: unknown): object
}

export interface OneofCodec<Message, Wire> {
  encode(message: Message): Partial<Wire>
  /** @throws InvalidMessageError when not exactly one field is set, or its content is out of range */
  decode(wire: Wire): Message
}

export function oneofCodec<Message extends { type: string }, Wire>(
  kinds: Kinds<Message, Wire>
): OneofCodec<Message, Wire> {
  const all = Object.entries(kinds as Record<string, AnyKind>)
  const decoders = all.filter(([, { decode }]) => decode !== undefined)
  return {
    encode(message) {
      const { field, encode } = (kinds as Record<string, AnyKind>)[message.type]!
      return { [field]: encode(message) } as Partial<Wire>
    },
    decode(wire) {
      const parts = wire as Record<string, unknown>
      const [set, ...others] = decoders.filter(([, { field }]) => parts[field] !== undefined)
      check(set !== undefined && others.length === 0, 'a message must say one thing')
      const [type, { field, decode }] = set
      return { type, ...decode!(parts[field]) } as unknown as Message
    }
  }
}

/** A kind of message without content. */
export const EMPTY = { encode: () => ({}), decode: () => ({}) }
