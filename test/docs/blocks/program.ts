import { transform } from 'esbuild'
import type { Block } from './block.ts'

/** The JavaScript of a block of code, for this Node, which may run no TypeScript. In a clone it finds the package by its own name. */
export async function programOf({ text, language }: Block): Promise<string> {
  const { code } = await transform(text, { loader: language === 'js' ? 'js' : 'ts', format: 'esm', target: 'node20' })
  return code
}
