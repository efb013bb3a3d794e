import { newId } from '#foundation/core/ids'
import { readRelease } from '#releases/queries/read_release'
import type { World } from '#tests/support/world'
import { recordWatches } from '../queries/release_features.js'
import { featureItems } from '../tables.js'

/** Makes a work item of a release as if it had been observed; returns its id. */
export async function makeFeatureItem(
  world: World,
  appId: string,
  releaseId: string
): Promise<string> {
  const id = newId('wi')
  await world.write(async (scope) => {
    const { release } = await readRelease(scope, appId, releaseId)
    await recordWatches(scope, release, { watchesCode: false, watchesTickets: false })
    await scope.insert(featureItems, [
      {
        id,
        appId,
        releaseId: release.id,
        itemKey: `commit:${id}`,
        ticket: null,
        code: [],
        codeStatus: 'missing',
        codeType: null,
        reason: 'missingCode',
        digest: '',
        searchText: '',
        authors: '',
        isGone: false,
        isMovedOut: false,
        ignored: false,
        ignoredBy: null,
        ignoredAt: null,
        createdAt: scope.now,
      },
    ])
  })
  return id
}
