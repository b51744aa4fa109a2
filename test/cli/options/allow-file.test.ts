import { describe, expect, it } from 'vitest'
import { parseAllow, readAllowFile } from '../../../src/cli/options/allow-file.ts'

const A = '12D3KooWEyoppNCUx8Yx66oV9fJnriXwCcXwDDUA2kj6vnc6iDEp'
const B = '12D3KooWHk8pcsdYHpKu7fWuvGSZfrkiZDEcHvQ9ecNeCvTbyqnS'

describe('an allow list', () => {
  it('an allow list has a PeerId and the rights of the PeerId on each line, and may have comments', () => {
    expect(parseAllow(`# ours\n${A}\n\n${B} join # the old one\n* submit\r\n`, 'f')).toEqual([
      { peer: A, may: ['join', 'submit'] },
      { peer: B, may: ['join'] },
      { peer: '*', may: ['submit'] }
    ])
    expect(parseAllow(`${A} submit, join`, 'f')).toEqual([{ peer: A, may: ['submit', 'join'] }])
  })

  it('an allow list may exclude a peer from the rights that `*` grants', () => {
    expect(parseAllow(`*\n${A} none # left us\n`, 'f')).toEqual([
      { peer: '*', may: ['join', 'submit'] },
      { peer: A, may: [] }
    ])
  })

  it.each([
    ['\n12D3KooWshort\n', 'f:2: "12D3KooWshort" is no PeerId'],
    [`${A} lead`, 'f:1: "lead" is no right: behind a PeerId comes join, submit, none, or nothing for both'],
    [`${A} none join`, 'f:1: "none" is no right'],
    [`${A}\n# x\n${A} join`, `f:3: ${A} is in line 1 already`],
    ['# nobody\n', 'f lists no PeerId, so no peer could connect']
  ])('an allow list is refused with the number of the invalid line: %j', (text, said) => {
    expect(() => parseAllow(text, 'f')).toThrow(`option '--allow': ${said}`)
  })

  it('an allow list that cannot be read causes an error that names the option', async () => {
    await expect(readAllowFile('/nowhere/allow')).rejects.toMatchObject({
      name: 'InvalidOptionError',
      message: expect.stringContaining("option '--allow': ENOENT")
    })
  })
})
