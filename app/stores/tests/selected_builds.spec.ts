import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { snapshot } from '#tests/support/snapshot'
import { readyWorld, storeWorld, tidy, type StoreWorld } from './support.js'

/** Returns the stored rows, without times of provider answers, which are written in intervals. */
const stored = async (organizationId: string) => ({
  ...(await snapshot([organizationId])),
  integrations: null,
})

test.group('PUT …/selectedBuilds', (group) => {
  group.each.teardown(tidy)

  const select = async ({ admin, path, step }: StoreWorld, builds: object[]) => {
    const { stepRunId } = await step('submission')
    return admin.put(`${path}/stepRun/${stepRunId}/selectedBuilds`, { builds })
  }

  test('200 a person’s choice stays, even if it is no build', async ({ assert }) => {
    const given = await storeWorld()
    const { store, work, release, reported, world } = given
    store.upload('1')
    await work()
    const { id } = (await release()).selectedBuild
    await reported()
    const chosen = await select(given, [{ appStoreBuildId: id }])
    assert.equal(chosen.status, 200)
    assert.containsSubset(chosen.body.data.selectedBuilds, [{ id, selected: true }])
    assert.isEmpty(await reported())
    const before = await stored(world.organizationId)
    assert.equal((await select(given, [{ appStoreBuildId: id }])).status, 200)
    assert.deepEqual(await stored(world.organizationId), before)
    store.upload('2')
    await work()
    assert.equal((await release()).selectedBuild.buildNumber, '1')
    const none = await select(given, [{ appStoreBuildId: null }])
    assert.deepEqual([none.status, none.body.status], [200, 'notStarted'])
    assert.include(await reported(), 'submission notStarted')
    await work()
    assert.isNull((await release()).selectedBuild)
  })

  test('200 with `latest` the service chooses again, now and later', async ({ assert }) => {
    const given = await storeWorld()
    const { store, work, release } = given
    store.upload('1')
    await work()
    const { id } = (await release()).selectedBuild
    await select(given, [{ appStoreBuildId: id }])
    store.upload('2')
    await work()
    const response = await select(given, [{ appStoreBuildId: 'latest' }])
    assert.equal(response.status, 200)
    assert.equal((await release()).selectedBuild.buildNumber, '2')
    assert.isFalse((await release()).storePlans[0].selectedByHand)
    store.upload('3')
    await work()
    assert.equal((await release()).selectedBuild.buildNumber, '3')
    const before = await stored(given.world.organizationId)
    assert.equal((await select(given, [{ appStoreBuildId: 'latest' }])).status, 200)
    assert.deepEqual(await stored(given.world.organizationId), before)
  })

  test('422 for builds that are unknown, foreign, expired or of another destination', async ({
    assert,
  }) => {
    const given = await storeWorld()
    const { store, work, admin, appId, release } = given
    store.upload('1', '1.5.0')
    store.upload('2')
    store.upload('3', '1.4.0', {
      status: { state: 'expired', raw: 'VALID', beganAt: '', observedAt: '', lagSeconds: 0 },
    })
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.5.0/kickoff`)
    await work()
    const rows = await db.from('app_store_builds').where('app_id', appId)
    const idOf = (number: string) => rows.find((row) => row.build_number === number).id
    const cases = [
      [[{ appStoreBuildId: 'build_no' }], '/builds/0/appStoreBuildId', 'unknown_build'],
      [[{ appStoreBuildId: idOf('1') }], '/builds/0/appStoreBuildId', 'unknown_build'],
      [[{ appStoreBuildId: idOf('3') }], '/builds/0/appStoreBuildId', 'expired'],
      [
        [{ destinationId: 'dest_no', appStoreBuildId: idOf('2') }],
        '/builds/0/destinationId',
        'unknown_destination',
      ],
      [
        [{ appStoreBuildId: idOf('2') }, { appStoreBuildId: null }],
        '/builds/1/destinationId',
        'unique',
      ],
    ] as const
    for (const [builds, pointer, code] of cases) {
      const { status, body } = await select(given, [...builds])
      assert.deepEqual([status, body.errors[0].pointer, body.errors[0].code], [422, pointer, code])
    }
    assert.equal((await select(given, [])).status, 422)
    assert.equal((await release()).selectedBuild.buildNumber, '2')
  })

  test('409 after the submission, and for a run of another step; 403 and 404', async ({
    assert,
  }) => {
    const given = await readyWorld()
    const { world, admin, path, work, release, step } = given
    const { id } = (await release()).selectedBuild
    const other = (await step('takeoff')).stepRunId
    const wrong = await admin.put(`${path}/stepRun/${other}/selectedBuilds`, {
      builds: [{ appStoreBuildId: id }],
    })
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'step_type_mismatch'])
    const nowhere = await admin.put(`${path}/stepRun/run_no/selectedBuilds`, {
      builds: [{ appStoreBuildId: id }],
    })
    assert.equal(nowhere.status, 404)
    const reader = await world.keyed({ name: 'reader' })
    const { stepRunId } = await step('submission')
    const body = { builds: [{ appStoreBuildId: id }] }
    const refused = await reader.put(`${path}/stepRun/${stepRunId}/selectedBuilds`, body)
    assert.equal(refused.status, 403)
    await admin.put(`${path}/submit`, {})
    assert.equal((await select(given, [{ appStoreBuildId: id }])).body.code, 'store_busy')
    await work()
    assert.equal((await select(given, [{ appStoreBuildId: id }])).body.code, 'release_submitted')
  })
})
