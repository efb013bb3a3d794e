import type { Instant } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import { appStoreBuilds, appStoreReviews } from '../tables.js'
import type { World } from '#tests/support/world'

/** Inserts a store's build of an app straight into the database. */
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
        distribution: null,
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

/** Inserts a store's review of an app straight into the database; by default of now, with two stars. */
export async function makeStoreReview(
  world: World,
  appId: string,
  integrationId = 'int_of_a_store',
  given: { rating?: number; writtenAt?: Instant } = {}
): Promise<string> {
  const id = newId('review')
  const data = { device: null, osVersion: null, androidVersionCode: null, developerResponse: null }
  await world.write((scope) =>
    scope.insert(appStoreReviews, [
      {
        id,
        appId,
        integrationId,
        destinationId: null,
        storeType: 'apple',
        storeRef: id,
        rating: 2,
        title: null,
        body: 'It crashes',
        author: 'ada',
        locale: 'en-US',
        territory: null,
        version: '1.4.0',
        data,
        reply: null,
        terms: [],
        writtenAt: scope.now,
        seenAt: scope.now,
        ...given,
      },
    ])
  )
  return id
}
