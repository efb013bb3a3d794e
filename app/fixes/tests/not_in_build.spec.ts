import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { newId } from '#foundation/core/ids'
import { workAway } from '#releases/tests/helpers/code_world'
import { seenVersion } from '#stores/derive/seen'
import { addSighting } from '#stores/derive/store_facts'
import { appStoreBuilds, appStoreVersions } from '#stores/tables'
import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import { makeLate } from './late.js'

type Late = Awaited<ReturnType<typeof makeLate>>

/** A store that has build 41 of the release, built from a commit. */
async function storeOf({ world, app }: Late, commitHash: string, state: StoreVersionState) {
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
    const told = { id: 'V1', version: '1.0.0', buildNumbers: ['41'], status, rollout }
    const common = { appId: app, integrationId, destinationId: null, releaseId }
    const own = { ...common, storeType: 'apple' as const, createdAt: at, updatedAt: at }
    const seen = seenVersion(told, at)
    await scope.insert(appStoreVersions, [
      { id: newId('sver'), ...own, ...addSighting(null, seen), past: [], isOver: false },
    ])
    const look = { at, state: 'ready', raw: 'VALID', storeRef: 'B41' } as const
    await scope.insert(appStoreBuilds, [
      {
        ...{ id: newId('build'), ...own, buildNumber: '41', version: '1.0.0' },
        ...{ seen: look, known: look, beta: null, commitHash },
        ...{ ciBuildId: null, matchedBy: null, uploadedAt: at },
      },
    ])
  })
}

const warningsOf = async ({ admin, path }: Late) => {
  const { body } = await admin.get(`${path('1.0.0')}/whyNotMoving`)
  return body.warnings.filter(({ code }: { code: string }) => code === 'fix_not_in_build')
}

test.group('A fix that is merged', () => {
  for (const [state, standing] of [
    ['inReview', 'submitted'],
    ['live', 'rolling out'],
  ] as const) {
    test(`after the build that is ${standing} is not in it, which people are told`, async ({
      assert,
      cleanup,
    }) => {
      const late = await makeLate(cleanup)
      const { repository, ask, tip, timeline } = late
      await storeOf(late, tip(), state)
      const fix = repository.commit({ message: 'Fix it', files: { 'fix.txt': 'fixed\n' } })
      const id = await ask({ commitHashes: [fix] })
      await workAway()
      const [warning, ...others] = await warningsOf(late)
      assert.deepEqual(others, [])
      assert.equal(warning.subject.id, id)
      assert.include(
        warning.message,
        `It crashes is merged and not in build 41, which is ${standing}`
      )
      const [merged] = await timeline('1.0.0', '?type=fixRequest.merged')
      assert.equal(
        merged.title,
        `Fix merged: It crashes. It is not in build 41, which is ${standing}`
      )
    })
  }

  test('and in the build says nothing, nor one of a build that nobody knows', async ({
    assert,
    cleanup,
  }) => {
    for (const isKnown of [true, false]) {
      const late = await makeLate(cleanup)
      const { repository, ask, tip, look } = late
      const fix = repository.commit({ message: 'Fix it', files: { 'fix.txt': 'fixed\n' } })
      await ask({ commitHashes: [fix] })
      await workAway()
      await look()
      await storeOf(late, isKnown ? tip() : 'f'.repeat(40), 'live')
      assert.deepEqual(await warningsOf(late), [])
    }
  })
})
