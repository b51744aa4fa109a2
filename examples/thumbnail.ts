// P2P_WORKER_KEY=… node examples/thumbnails.mjs photos thumbnails
//
// Makes a thumbnail of a picture. examples/thumbnails.mjs runs this task on a cluster for each picture of a folder. Jimp consists only of
// JavaScript, so the task bundle contains Jimp, and no peer needs to install it.

import { Jimp, JimpMime } from 'jimp'
import { defineTask } from 'p2p-worker'

export interface Picture {
  /** The name of the file, which the result also contains. */
  name: string
  /** The content of the file: a JPEG or a PNG. */
  bytes: Uint8Array
  /** The thumbnail's longer side, in pixels. */
  longerSide: number
}

export type Thumbnail =
  | { name: string; bytes: Uint8Array; width: number; height: number }
  /** The reason why a file has no thumbnail. An exception would end the stream, so other files would get no thumbnails. */
  | { name: string; problem: string }

export default defineTask({
  name: 'thumbnail',

  async run({ name, bytes, longerSide }: Picture): Promise<Thumbnail> {
    try {
      const picture = await Jimp.read(Buffer.from(bytes))
      // The task does not enlarge small pictures.
      if (Math.max(picture.width, picture.height) > longerSide) picture.scaleToFit({ w: longerSide, h: longerSide })
      const { width, height } = picture
      const isPng = picture.mime === JimpMime.png
      const thumbnail = isPng
        ? await picture.getBuffer(JimpMime.png)
        : await picture.getBuffer(JimpMime.jpeg, { quality: 80 })
      // Returns a Uint8Array, as the type says, because a Buffer would arrive as a Buffer.
      return { name, bytes: new Uint8Array(thumbnail), width, height }
    } catch (error) {
      return { name, problem: error instanceof Error ? error.message : String(error) }
    }
  }
})
