/** Decodes tagged JSON (src/tasks/values/tagged-json.ts). Tests use it to show that the encoding loses no value. */

interface Tags {
  $number?: string
  $bigint?: string
  $undefined?: true
  $hole?: true
  $date?: string | null
  $map?: [unknown, unknown][]
  $set?: unknown[]
  $bytes?: string
  $typedArray?: string
  base64?: string
  $object?: Record<string, unknown>
}

const TYPED_ARRAYS = { Float64Array, Int32Array, Uint16Array, BigInt64Array }

function untagPlain(value: object): object {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, untag(item)]))
}

export function untag(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const result = new Array<unknown>(value.length)
    value.forEach((item, index) => {
      if (!(item as Tags | null)?.$hole) result[index] = untag(item)
    })
    return result
  }
  const tags = value as Tags
  if (tags.$number !== undefined) return Number(tags.$number)
  if (tags.$bigint !== undefined) return BigInt(tags.$bigint)
  if (tags.$undefined) return undefined
  if (tags.$date !== undefined) return new Date(tags.$date ?? Number.NaN)
  if (tags.$map !== undefined) return new Map(tags.$map.map(([key, item]) => [untag(key), untag(item)]))
  if (tags.$set !== undefined) return new Set(tags.$set.map(untag))
  if (tags.$bytes !== undefined) return new Uint8Array(Buffer.from(tags.$bytes, 'base64'))
  if (tags.$typedArray !== undefined) {
    const bytes = new Uint8Array(Buffer.from(tags.base64!, 'base64'))
    return new TYPED_ARRAYS[tags.$typedArray as keyof typeof TYPED_ARRAYS](bytes.buffer)
  }
  return tags.$object === undefined ? untagPlain(value) : untagPlain(tags.$object)
}
