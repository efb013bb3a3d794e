import db from '@adonisjs/lucid/services/db'
import { newId } from '#foundation/core/ids'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import { seenVersion } from '#stores/derive/seen'
import { addSighting } from '#stores/derive/store_facts'
import { appStoreBuilds, appStoreVersions } from '#stores/tables'
import type { makeLate } from './late.js'

export type Late = Awaited<ReturnType<typeof makeLate>>

/** Makes a store that has build 41 of the release, built from a commit. */
export async function storeOf({ world, app }: Late, commitHash: string, state: StoreVersionState) {
  const [code] = await db.from('integrations').where('app_id', app)
  const integrationId = newId('int')
  await db.table('integrations').insert({
    ...code,
    ...{ id: integrationId, key: 'store', kind: 'appStore', type: 'apple', position: 9 },
  })
  const { id: releaseId } = await db
    .from('releases')
    .where({ app_id: app, version: '1.0.0' })
    .firstOrFail()
  await world.write(async (scope) => {
    const at = scope.now
    const status = { state, raw: state, beganAt: at, observedAt: at, lagSeconds: 0 }
    const rollout =
      state === 'live' ? { mode: 'phased' as const, state: 'active' as const, day: 2 } : undefined
    const reported = { id: 'V1', version: '1.0.0', buildNumbers: ['41'], status, rollout }
    const common = { appId: app, integrationId, destinationId: null, releaseId }
    const own = { ...common, storeType: 'apple' as const, createdAt: at, updatedAt: at }
    const seen = seenVersion(reported, at)
    await scope.insert(appStoreVersions, [
      { id: newId('sver'), ...own, ...addSighting(null, seen), past: [], isOver: false },
    ])
    const look = { at, state: 'ready', raw: 'VALID', storeRef: 'B41' } as const
    await scope.insert(appStoreBuilds, [
      {
        ...{ id: newId('build'), ...own, buildNumber: '41', version: '1.0.0' },
        ...{ seen: look, known: look, beta: null, commitHash },
        ...{ distribution: null, ciBuildId: null, matchedBy: null, uploadedAt: at },
      },
    ])
  })
}
