import { newId } from '#foundation/core/ids'
import { appStoreBuilds } from '../tables.js'
import type { World } from '#tests/support/world'

/** A build that a store has of an app, straight in the database. */
export async function makeStoreBuild(world: World, appId: string): Promise<string> {
  const id = newId('build')
  await world.write(async (scope) => {
    const release = scope.table('releases').where('app_id', appId).select('id').first()
    const look = { at: scope.now, state: 'ready', raw: 'VALID', storeRef: id } as const
    await scope.insert(appStoreBuilds, [
      {
        id,
        appId,
        destinationId: null,
        integrationId: 'int_of_a_store',
        releaseId: ((await release) as { id: string } | null)?.id ?? null,
        storeType: 'apple',
        buildNumber: '77',
        version: '1.4.0',
        seen: look,
        known: look,
        beta: null,
        commitHash: null,
        ciBuildId: null,
        matchedBy: null,
        uploadedAt: scope.now,
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
  })
  return id
}
