/** Checks multiaddrs before anything starts. The parser loads only if there is an address to parse. */
export async function checkMultiaddrs(option: string, values: readonly string[] | undefined): Promise<void> {
  if (values === undefined) return
  const { parseMultiaddr } = await import('../../network/multiaddr.ts')
  for (const value of values) parseMultiaddr(value, `option '${option}'`)
}
