import type { Assert } from '@japa/assert'
import { requestStoreVersions } from '#stores/backfill/read_past_versions'
import type { Api } from './api.js'
import type { World } from './world.js'

/**
 * Checks that the version that users have is imported once, even if the store is read again, waits
 * for nothing and is no news.
 */
export async function requireImportedOnce(
  assert: Assert,
  {
    admin,
    appId,
    work,
    world,
  }: { admin: Api; appId: string; work: () => Promise<void>; world: World },
  version: string
): Promise<void> {
  const completed = async () => {
    await work()
    const { body } = await admin.get(`/v2/app/${appId}/releases?status=completed`)
    return body.data.map((each: { version: string; imported: boolean }) => ({
      version: each.version,
      imported: each.imported,
    }))
  }
  await world.write((scope) => requestStoreVersions(scope, appId))
  assert.deepEqual(await completed(), [{ version, imported: true }])
  assert.equal((await admin.get(`/app/${appId}`)).body.liveVersion, version)
  await world.write((scope) => requestStoreVersions(scope, appId, 'again'))
  assert.deepEqual(await completed(), [{ version, imported: true }])
  const path = `/app/${appId}/release/${appId}:${version}`
  const { phase, release } = (await admin.get(`${path}/whyNotMoving`)).body
  assert.deepEqual({ phase, release }, { phase: 'released', release: [] })
  assert.deepEqual((await admin.get(`${path}/timelineEvents`)).body.data, [])
}
