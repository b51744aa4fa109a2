/** Generates pictures that resemble photographs. They show a sky and a hill, with grain that differs in each picture. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Jimp, JimpMime } from 'jimp'

interface Shape {
  name: string
  width: number
  height: number
}

/** Writes the pictures into the folder, as JPEG or PNG by file extension, and returns their bytes by name. */
export async function makePhotographs(folder: string, shapes: readonly Shape[]): Promise<Map<string, Uint8Array>> {
  await mkdir(folder, { recursive: true })
  const files = new Map<string, Uint8Array>()
  for (const [index, { name, width, height }] of shapes.entries()) {
    const picture = new Jimp({ width, height })
    let grain = index + 1
    for (let pixel = 0; pixel < width * height; pixel++) {
      grain = (grain * 48271) % 2147483647
      const x = (pixel % width) / width
      const y = Math.floor(pixel / width) / height
      const isHill = y > 0.7 - 0.2 * x * (1 - x) * (index + 1)
      const light = (isHill ? 90 : 200 - 120 * y) + (grain % 16)
      picture.bitmap.data.set([isHill ? light / 2 : light, light, isHill ? light / 3 : 255, 255], 4 * pixel)
    }
    const bytes = await (name.endsWith('.png') ? picture.getBuffer(JimpMime.png) : picture.getBuffer(JimpMime.jpeg))
    await writeFile(join(folder, name), bytes)
    files.set(name, new Uint8Array(bytes))
  }
  return files
}
