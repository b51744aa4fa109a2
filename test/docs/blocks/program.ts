import { transform } from 'esbuild'
import type { Block } from './block.ts'

/** Returns a block of code as JavaScript, because this Node may not run TypeScript. In a clone, the program imports the package by name. */
export async function programOf({ text, language }: Block): Promise<string> {
  const { code } = await transform(text, { loader: language === 'js' ? 'js' : 'ts', format: 'esm', target: 'node20' })
  return code
}
