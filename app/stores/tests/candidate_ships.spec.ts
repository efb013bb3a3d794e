import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { storeWorld, tidy, type StoreWorld } from './support.js'

/*
 * The default build of a release: the candidate, if CI builds the app, and otherwise the newest
 * build of its version.
 */

const selected = async ({ release }: StoreWorld): Promise<string | null> =>
  (await release()).selectedBuild?.buildNumber ?? null

/** Returns a CI build of the release's branch. */
const ci = ({ sendCiBuild }: StoreWorld, buildIdentifier: string, more: object = {}) =>
  sendCiBuild({ buildIdentifier, commitHash: buildIdentifier.padStart(40, '0'), ...more })

test.group('The build that the service selects', (group) => {
  group.each.teardown(tidy)

  test('is the newest of the version if CI reports none', async ({ assert }) => {
    const given = await storeWorld()
    const { store, work } = given
    store.upload('1')
    await work()
    store.upload('2')
    await work()
    assert.equal(await selected(given), '2')
  })

  test('is never a build of another branch if the release has a candidate', async ({ assert }) => {
    const given = await storeWorld()
    const { store, work } = given
    await ci(given, '4711')
    store.upload('4711')
    await work()
    assert.equal(await selected(given), '4711')
    store.upload('9000')
    await work()
    assert.equal(await selected(given), '4711')
  })

  test('is none while the store has only builds of other branches', async ({ assert }) => {
    const given = await storeWorld()
    const { store, work, admin, path } = given
    store.upload('9000')
    await ci(given, '4711')
    await work()
    assert.isNull(await selected(given))
    const submitted = await admin.put(`${path}/submit`, { force: true })
    assert.equal(submitted.body.code, 'no_build_selected')
    store.upload('4711')
    await work()
    assert.equal(await selected(given), '4711')
  })

  test('is none before there is a candidate, if CI builds other versions of the app', async ({
    assert,
  }) => {
    const given = await storeWorld()
    const { store, work, admin, path } = given
    await ci(given, '4000', { version: '1.3.0' })
    store.upload('9000')
    await work()
    assert.isNull(await selected(given))
    const submitted = await admin.put(`${path}/submit`, { force: true })
    assert.equal(submitted.body.code, 'no_build_selected')
    await ci(given, '4711')
    assert.isNull(await selected(given))
    store.upload('4711')
    await work()
    assert.equal(await selected(given), '4711')
  })

  test('is dropped when CI reports the first build of the app, and it is another', async ({
    assert,
  }) => {
    const given = await storeWorld()
    const { store, work } = given
    store.upload('9000')
    await work()
    assert.equal(await selected(given), '9000')
    await ci(given, '4711')
    assert.isNull(await selected(given))
  })

  test('follows the candidate, whichever of store and CI comes first', async ({ assert }) => {
    const given = await storeWorld()
    const { store, work } = given
    await ci(given, '4711', { startedAt: '2026-11-20T10:00:00.000Z' })
    store.upload('4711')
    await work()
    store.upload('4712')
    await work()
    assert.equal(await selected(given), '4711')
    const running = { status: 'running', startedAt: '2026-11-20T11:00:00.000Z' }
    await ci(given, '4712', { ...running, finishedAt: null })
    assert.equal(await selected(given), '4712')
    await ci(given, '4712', { ...running, status: 'failed' })
    assert.equal(await selected(given), '4711')
    await ci(given, '4713', { startedAt: '2026-11-20T12:00:00.000Z' })
    assert.isNull(await selected(given))
    store.upload('4713')
    await work()
    assert.equal(await selected(given), '4713')
  })

  test('is the one that a person links to the candidate', async ({ assert }) => {
    const given = await storeWorld()
    const { store, work, admin, appId } = given
    const { body } = await ci(given, 'run-7')
    store.upload('12')
    await work()
    assert.isNull(await selected(given))
    const { id } = await db.from('app_store_builds').where('app_id', appId).firstOrFail()
    const linked = await admin.put(`/app/${appId}/appStoreBuild/${id}/ciBuild`, {
      ciBuildId: body.id,
    })
    assert.isBelow(linked.status, 300, linked.text)
    assert.equal(await selected(given), '12')
  })

  test('stays the build that a person chose, and the one that was submitted', async ({
    assert,
  }) => {
    const given = await storeWorld()
    const { store, work, admin, appId, path, step } = given
    await ci(given, '4711', { startedAt: '2026-11-20T12:00:00.000Z' })
    store.upload('4711')
    store.upload('9000')
    await work()
    const { id } = await db
      .from('app_store_builds')
      .where({ app_id: appId, build_number: '9000' })
      .firstOrFail()
    const { stepRunId } = await step('submission')
    const builds = [{ appStoreBuildId: id }]
    await admin.put(`${path}/stepRun/${stepRunId}/selectedBuilds`, { builds })
    assert.equal(await selected(given), '9000')
    await ci(given, '4712', { startedAt: '2026-11-20T13:00:00.000Z' })
    store.upload('4712')
    await work()
    assert.equal(await selected(given), '9000')
    await admin.put(`${path}/stepRun/${stepRunId}/selectedBuilds`, {
      builds: [{ appStoreBuildId: 'latest' }],
    })
    assert.equal(await selected(given), '4712')
    await admin.put(`${path}/submit`, { force: true })
    await work()
    await ci(given, '4713', { startedAt: '2026-11-20T14:00:00.000Z' })
    store.upload('4713')
    await work()
    assert.equal(await selected(given), '4712')
    // A rejected version is submitted again with the current candidate.
    store.become('rejected')
    await work()
    await ci(given, '4714', { startedAt: '2026-11-20T15:00:00.000Z' })
    store.upload('4714')
    await work()
    assert.equal(await selected(given), '4714')
  })
})
