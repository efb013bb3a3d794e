import { createHash } from 'node:crypto'
import type { Api, ApiOptions } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { form } from '#tests/support/form'
import { makeWorld } from '#tests/support/world'

export { storedKeys } from '#tests/support/disks'

export const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

export const CI_BUILD = {
  buildIdentifier: '4711',
  branch: 'refs/heads/release/1.4.0',
  integrationId: 'github-ci',
  commitHash: '9f2c1d7e5b3a4c6d8e0f1a2b3c4d5e6f7a8b9c0d',
  workflowData: { workflowId: 'release.yml', workflowName: 'Release' },
}

/** Uploads a file with its data to a path. */
export function sendFile(
  api: Api,
  path: string,
  given: { bytes?: string | Buffer; fileName?: string; data?: unknown; text?: string } = {},
  options: ApiOptions = {}
) {
  const { bytes = 'the build', fileName = 'Acme.ipa', data } = given
  const text = given.text ?? (data === undefined ? undefined : JSON.stringify(data))
  const { raw, headers } = form({ file: bytes, fileName }, text)
  return api.send<any>('POST', path, {
    ...options,
    raw,
    headers: { ...headers, ...options.headers },
  })
}

/** Makes an app with a bucket, and a function that uploads builds to it. */
export async function makeBucket(settings: object = {}) {
  const world = await makeWorld()
  const app = await makeApp(world)
  const { body } = await world.admin.post(`/app/${app}/bucket`, { name: 'Beta', ...settings })
  const path = `/app/${app}/bucket/${body.id}`
  return {
    world,
    app,
    admin: world.admin,
    bucket: body,
    path,
    upload: (file?: Parameters<typeof sendFile>[2], api = world.admin, options?: ApiOptions) =>
      sendFile(api, `${path}/build`, file, options),
  }
}
