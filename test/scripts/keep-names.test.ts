import { transform } from 'esbuild'
import { expect, test } from 'vitest'

const { withoutNamesOfArrows } = (await import(new URL('../../scripts/keep-names.mjs', import.meta.url).href)) as {
  withoutNamesOfArrows(code: string): string
}

const source = `
export class Parcel {}
export function send() {}
export async function receive() {}
export function* each() {}
export const makeArrow = () => { const inner = () => {}; return inner }
`

test('in the built code classes and functions keep their names, and arrow functions get none when they are created', async () => {
  const { code } = await transform(source, { minify: true, keepNames: true, format: 'esm' })
  const built = withoutNamesOfArrows(code)
  const { Parcel, send, receive, each, makeArrow } = await import(`data:text/javascript,${encodeURIComponent(built)}`)
  const names = [Parcel, send, receive, each].map(({ name }: { name: string }) => name)
  expect(names).toEqual(['Parcel', 'send', 'receive', 'each'])
  expect((makeArrow as () => { name: string })().name).not.toBe('inner')
})
