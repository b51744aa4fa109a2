import { statusJson } from '../api/status-json.ts'
import { look } from './client.ts'
import type { ClientFlags, JsonFlag } from './flags.ts'
import { print } from './output.ts'
import { screenOf } from './screen.ts'
import { statusText } from './status-view.ts'

export async function status(flags: ClientFlags & JsonFlag): Promise<number> {
  return await look(flags, async (client, { signal }) => {
    const seen = await client.status({ signal })
    await print(flags.json ? JSON.stringify(statusJson(seen)) : statusText(seen, Date.now(), screenOf(process.stdout)))
  })
}
