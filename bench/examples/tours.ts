/** Lists each example at a size that keeps one processor busy for some seconds, with its command and the check of its answer. */
import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decode } from 'fast-png'
import { root } from '../../test/cluster/processes.ts'
import { makePhotographs } from '../../test/examples/photographs.ts'

/** A command of p2p-worker or of Node, with its input and the check of its output. */
export interface Tour {
  /** The name of the row, and the first word of its line in the table. */
  name: string
  /** A description of the computation at this size. */
  size: string
  /** The arguments of `p2p-worker`, or of `node` for a program. `output` is the path of a new file. */
  args(output: string): string[]
  isProgram?: true
  input?: () => string
  /** Returns whether the answer is right. Without `verify`, the only check is that all runs give the same answer. */
  verify?(stdout: string, output: Uint8Array | undefined): boolean
}

const json = (value: unknown): string => JSON.stringify(value)
const isVerified = (stdout: string): boolean => JSON.parse(stdout).verified === true
/** The digest of the picture with 100 paths for each pixel, drawn by one thread. */
const RAY_TRACED = '83f8b638884d9e28b5e6b36b73a60109f3312b08d04def791f4c65098fb95537'
const SHRUNK = Array.from({ length: 48 }, (_, at) => ({ name: `photo-${at}.jpg`, width: 1_200, height: 800 }))

/** Generates the input files of the examples. */
export async function makeData(folder: string): Promise<void> {
  const iris = readFileSync(join(root, 'examples/data/iris.csv'), 'utf8').trimEnd()
  const [header = '', ...flowers] = iris.split('\n')
  for (const times of [160, 400]) {
    const many = Array.from({ length: times }, () => flowers).flat()
    await writeFile(join(folder, `iris-${many.length}.csv`), [header, ...many, ''].join('\n'))
  }
  await writeFile(join(folder, 'search.json'), json({ table: `${iris}\n`, candidates: 320 }))
  await writeFile(join(folder, 'text.txt'), readFileSync(join(root, 'docs/tasks.md'), 'utf8').repeat(2_500))
  await mkdir(join(folder, 'photos'))
  await makePhotographs(join(folder, 'photos'), SHRUNK)
}

export function toursIn(folder: string): Tour[] {
  const at = (file: string): string => join(folder, file)
  return [
    {
      name: 'nas-ep',
      size: 'class W, 2^25 pairs, 512 chunks',
      args: () => ['run', 'examples/nas-ep.ts', '--input', json({ class: 'W' })],
      verify: isVerified
    },
    {
      name: 'mandelbrot',
      size: '2,400 by 1,600 pixels, 1,600 rows',
      args: output => ['run', 'examples/mandelbrot.ts', '--input', json({ width: 2_400 }), '--output', output],
      verify: (_, png) => /verified: true/.test(decode(png!).text?.Area ?? '')
    },
    {
      name: 'ray-trace',
      size: '480 by 270 pixels, 100 paths each, 135 tiles',
      args: output => ['run', 'examples/ray-trace.ts', '--input', json({ samples: 100 }), '--output', output],
      verify: (_, png) => decode(png!).text?.Digest === RAY_TRACED
    },
    {
      name: 'n-queens',
      size: '16 queens, 210 chunks',
      args: () => ['run', 'examples/n-queens.ts', '--input', json({ n: 16 })],
      verify: isVerified
    },
    {
      name: 'thumbnails',
      size: '48 JPEGs of 1,200 by 800 pixels',
      args: output => ['examples/thumbnails.mjs', at('photos'), `${output}-thumbnails`],
      isProgram: true,
      verify: stdout => stdout.trimEnd().split('\n').length === SHRUNK.length
    },
    {
      name: 'word-count',
      size: 'docs/tasks.md 2,500 times over',
      args: () => ['run', 'examples/word-count.ts', '--input-file', at('text.txt')]
    },
    {
      name: 'k-means',
      size: '60,000 flowers',
      args: () => ['run', 'examples/k-means.ts', '--input-file', at('iris-60000.csv')]
    },
    {
      name: 'sgd',
      size: '24,000 flowers, 50 rounds',
      args: () => ['run', 'examples/sgd.ts', '--input-file', at('iris-24000.csv')]
    },
    {
      name: 'hyper-parameter-search',
      size: '320 choices of settings',
      args: () => ['run', 'examples/hyper-parameter-search.ts', '--input-file', at('search.json')]
    },
    {
      name: 'hash-search',
      size: 'the genesis block, from 12 million nonces before',
      args: () => ['run', 'examples/hash-search.ts', '--input', json({ block: 'genesis', from: 2_071_236_893 })],
      verify: stdout => JSON.parse(stdout).nonce === 2_083_236_893
    },
    {
      name: 'collatz',
      size: '200,000 lines',
      args: () => ['map', 'examples/collatz.ts'],
      input: () => Array.from({ length: 200_000 }, (_, i) => `${i + 1}\n`).join(''),
      verify: stdout => stdout.trimEnd().split('\n')[870] === '871 178'
    },
    {
      name: 'test-suite',
      size: '8 files of tests',
      args: () => ['map', '--exec', 'node --test {} > /dev/null && echo {} passed'],
      input: () =>
        ['base64', 'big-integers', 'compression', 'hashes', 'json', 'sorting', 'structured-clone', 'unicode']
          .map(name => `examples/test-suite/${name}.test.mjs\n`)
          .join(''),
      verify: stdout => stdout.match(/ passed$/gm)?.length === 8
    }
  ]
}
