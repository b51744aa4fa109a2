import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DARK, given, LIGHT, peerColour } from '../../../src/http/dashboard/view/palette.ts'
import { contrastOf, distance, EYES } from '../../colour-vision.ts'

const palettes = Object.entries({ light: LIGHT, dark: DARK })
const cases = palettes.flatMap(([name, palette]) =>
  Object.entries(EYES).map(([cones, eyes]) => ({ name, palette, cones, eyes }))
)

describe('the colours of the chunk map', () => {
  it.each(cases)('the colours of the chunk map are distinguishable: $name, $cones', ({ palette, eyes }) => {
    const all = [...palette.peers, palette.waiting, palette.done]
    for (const [at, one] of all.entries()) {
      for (const other of all.slice(at + 1)) {
        expect(distance(one, other, eyes), `${one} ${other}`).toBeGreaterThan(20)
      }
    }
  })

  it.each(cases)('the colour of a running chunk differs from done and waiting: $name, $cones', ({ palette, eyes }) => {
    for (const colour of palette.peers) {
      const pale = given(colour, palette.ground)
      expect(distance(pale, colour, eyes), colour).toBeGreaterThan(15)
      expect(distance(pale, palette.waiting, eyes), colour).toBeGreaterThan(9)
    }
  })

  it('the colours of peers repeat after the last colour', () => {
    expect(peerColour(LIGHT, 8)).toBe(LIGHT.peers[0])
  })
})

describe('the colours of text on the page', () => {
  const css = readFileSync(new URL('../../../src/http/dashboard/page.css', import.meta.url), 'utf8')
  const [light, dark] = [...css.matchAll(/:root \{(.*?)\}/gs)].map(
    ([, block = '']) => new Map([...block.matchAll(/--(\w[\w-]*): (#\w+);/g)].map(([, name, hex]) => [name!, hex!]))
  )

  it.each([
    ['light', light],
    ['dark', dark]
  ])('the text colours of the page have enough contrast to read: %s', (_, colours) => {
    for (const name of ['text', 'muted', 'good', 'caution', 'bad']) {
      for (const ground of ['panel', 'ground']) {
        expect(contrastOf(colours!.get(name)!, colours!.get(ground)!), `${name} on ${ground}`).toBeGreaterThan(4.5)
      }
    }
    expect(contrastOf(colours!.get('text')!, colours!.get('lost')!)).toBeGreaterThan(4.5)
    for (const mark of ['leader', 'caution-mark']) {
      expect(contrastOf(colours!.get(mark)!, colours!.get('panel')!), mark).toBeGreaterThan(2.8)
    }
  })
})
