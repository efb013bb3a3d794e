import { randomText } from '#foundation/core/ids'
import type { Api, ApiAnswer } from '#tests/support/api'
import type { World } from '#tests/support/world'

/** Sends a YAML text as a configuration file. */
export function sendYaml(
  api: Api,
  method: 'POST' | 'PATCH',
  path: string,
  text: string,
  headers: Record<string, string> = {}
): Promise<ApiAnswer<any>> {
  return api.send(method, path, {
    raw: Buffer.from(text),
    headers: { 'content-type': 'application/yaml', ...headers },
  })
}

/** Creates an app from a file without name and platform. Returns its entity. */
export async function makeApp(world: World, rest = '', platform = 'ios') {
  const text = `name: App ${randomText(10)}\nplatform: ${platform}\n${rest}`
  const response = await sendYaml(world.admin, 'POST', '/app/config', text)
  if (response.status !== 201) throw new Error(response.text)
  return response.body
}
