import { statusJson } from '../../api/status-json.ts'
import type { ClientFlags, JsonFlag } from '../options/flags.ts'
import { look } from '../peers/client.ts'
import { print } from '../terminal/output.ts'
import { screenOf } from '../terminal/screen.ts'
import { statusText } from '../terminal/status-view.ts'

export async function status(flags: ClientFlags & JsonFlag): Promise<number> {
  return await look(flags, async (client, { signal }) => {
    const seen = await client.status({ signal })
    await print(flags.json ? JSON.stringify(statusJson(seen)) : statusText(seen, Date.now(), screenOf(process.stdout)))
  })
}
