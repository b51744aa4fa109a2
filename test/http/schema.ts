/** Checks values against the part of JSON Schema 2020-12 that docs/openapi.yaml uses. An unknown keyword is an error. */

export type Schema = Record<string, unknown>

const ANNOTATIONS = ['description', 'default', 'example']

function typeOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  if (typeof value === 'number') return Number.isInteger(value) ? ['integer', 'number'] : ['number']
  return [typeof value]
}

const isObject = (value: unknown): value is Record<string, unknown> => typeOf(value).includes('object')

/** Returns the problems of a value, each with its place. The list is empty if the value fits the schema. */
export function problemsOf(value: unknown, schema: Schema, resolve: (ref: string) => Schema, at = '$'): string[] {
  const check = (inner: unknown, with_: unknown, place: string): string[] =>
    problemsOf(inner, with_ as Schema, resolve, place)
  const wrong = (isWrong: boolean, what: string): string[] =>
    isWrong ? [`${at}: ${what}, and not ${JSON.stringify(value)}`] : []
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    if (ANNOTATIONS.includes(keyword)) return []
    switch (keyword) {
      case '$ref':
        return check(value, resolve(rule as string), at)
      case 'type':
        return wrong(![rule].flat().some(type => typeOf(value).includes(type as string)), `is to be ${rule}`)
      case 'const':
        return wrong(value !== rule, `is to be ${rule}`)
      case 'enum':
        return wrong(!(rule as unknown[]).includes(value), `is to be one of ${rule}`)
      case 'oneOf': {
        const fitting = (rule as Schema[]).filter(one => check(value, one, at).length === 0)
        return wrong(fitting.length !== 1, `is to fit one of ${(rule as Schema[]).length}, and fits ${fitting.length}`)
      }
      case 'pattern':
        return wrong(typeof value === 'string' && !new RegExp(rule as string, 'u').test(value), `is to match ${rule}`)
      case 'minLength':
        return wrong(typeof value === 'string' && value.length < (rule as number), `is to have ${rule} characters`)
      case 'minimum':
        return wrong(typeof value === 'number' && value < (rule as number), `is to be at least ${rule}`)
      case 'maximum':
        return wrong(typeof value === 'number' && value > (rule as number), `is to be at most ${rule}`)
      case 'items':
        return Array.isArray(value) ? value.flatMap((item, index) => check(item, rule, `${at}[${index}]`)) : []
      case 'required':
        return isObject(value)
          ? (rule as string[]).flatMap(name => wrong(!Object.hasOwn(value, name), `is to have ${name}`))
          : []
      case 'properties':
        return isObject(value)
          ? Object.entries(rule as object).flatMap(([name, of]) =>
              Object.hasOwn(value, name) ? check(value[name], of, `${at}.${name}`) : []
            )
          : []
      case 'additionalProperties': {
        if (!isObject(value)) return []
        const others = Object.keys(value).filter(name => !Object.hasOwn(schema.properties ?? {}, name))
        if (rule === false) return others.flatMap(name => wrong(true, `is not to have ${name}`))
        return others.flatMap(name => check(value[name], rule, `${at}.${name}`))
      }
      default:
        throw new Error(`${at}: the keyword ${keyword} is not known here`)
    }
  })
}
