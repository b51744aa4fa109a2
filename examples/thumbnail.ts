// P2P_WORKER_KEY=… node examples/thumbnails.mjs photos thumbnails
//
// Makes a small picture of a large one: the task that examples/thumbnails.mjs gives to a cluster for each picture of a folder. Jimp is
// JavaScript only, so it travels with the task, and no peer needs to have it.

import { Jimp, JimpMime } from 'jimp'
import { defineTask } from 'p2p-worker'

export interface Picture {
  /** The file's name, which comes back with the thumbnail. */
  name: string
  /** What the file holds: a JPEG or a PNG. */
  bytes: Uint8Array
  /** The thumbnail's longer side, in pixels. */
  longerSide: number
}

export type Thumbnail =
  | { name: string; bytes: Uint8Array; width: number; height: number }
  /** Of a file that holds no picture, the others' thumbnails are made nevertheless. An exception would end them all. */
  | { name: string; problem: string }

export default defineTask({
  name: 'thumbnail',

  async run({ name, bytes, longerSide }: Picture): Promise<Thumbnail> {
    try {
      const picture = await Jimp.read(Buffer.from(bytes))
      // What is small already is not made larger.
      if (Math.max(picture.width, picture.height) > longerSide) picture.scaleToFit({ w: longerSide, h: longerSide })
      const { width, height } = picture
      const isPng = picture.mime === JimpMime.png
      const thumbnail = isPng
        ? await picture.getBuffer(JimpMime.png)
        : await picture.getBuffer(JimpMime.jpeg, { quality: 80 })
      // A Uint8Array, as the type says: a Buffer would come back as a Buffer.
      return { name, bytes: new Uint8Array(thumbnail), width, height }
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : String(error) }
    }
  }
})
