import { test } from '@japa/runner'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { asked, rollingOut } from './support.js'
import { liveVersion, withAll } from './with_all.js'

/**
 * Returns the reason why the rollout in the only store of a release cannot be stopped; null if it
 * can.
 */
async function whyNotStoppable({
  admin,
  path,
}: Pick<StoreWorld, 'admin' | 'path'>): Promise<string | null> {
  const { body } = await admin.get(`${path}/rollout`)
  return body.stores[0].whyNotStoppable
}

test.group('A stop at 100 %', (group) => {
  group.each.teardown(tidy)

  for (const [path, input] of [
    ['redButton', { reason: 'It crashes' }],
    ['rollout', { action: 'halt' }],
  ] as const) {
    test(`by ${path} halts it in Google Play, and names the version that users get again`, async ({
      assert,
    }) => {
      const given = await withAll()
      const { admin, work, run, release } = given
      assert.equal((await release()).status, 'completed')
      assert.equal(await liveVersion(given), '1.4.0')
      assert.isNull(await whyNotStoppable(given))
      const { status, body } = await admin.put(`${given.path}/${path}`, input)
      assert.equal(status, 200)
      const warning = body.warnings.find(({ code }: { code: string }) => code === 'served_before')
      assert.match(warning.message, /1\.3\.0/)
      assert.equal(await liveVersion(given), '1.4.0', 'Nothing shows the stop yet')
      await work()
      assert.deepEqual(asked(given), ['setRollout halt'])
      assert.equal((await release()).status, 'completed')
      assert.containsSubset((await run('rollout')).data.phased, {
        status: 'halted',
        percentage: 100,
      })
      assert.equal(await liveVersion(given), '1.3.0')
    })
  }

  test('can be followed by a rollout to all users, and the version is live again', async ({
    assert,
  }) => {
    const given = await withAll()
    const { admin, path, work, run } = given
    await admin.put(`${path}/rollout`, { action: 'halt' })
    await work()
    assert.equal(await liveVersion(given), '1.3.0')
    assert.equal((await admin.put(`${path}/rollout`, { action: 'complete' })).status, 200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout complete'])
    assert.equal((await run('rollout')).data.phased.status, 'completed')
    assert.equal(await liveVersion(given), '1.4.0')
  })

  test('serves the previous version again when the rollout went on at a share and is halted there', async ({
    assert,
  }) => {
    const given = await withAll()
    const { admin, path, work, run, release } = given
    await admin.put(`${path}/rollout`, { action: 'halt' })
    await work()
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 30 })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.equal(await liveVersion(given), '1.4.0')
    await admin.put(`${path}/redButton`, { reason: 'It crashes again' })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.containsSubset((await run('rollout')).data.phased, { status: 'halted', percentage: 30 })
    assert.equal((await release()).status, 'completed')
    assert.equal(await liveVersion(given), '1.3.0')
    // The recorded end of the previous version remains.
    assert.equal((await release('1.3.0')).status, 'completed')
  })

  test('can be followed by a rollout at any share', async ({ assert }) => {
    const given = await withAll()
    const { admin, path, work, run } = given
    await admin.put(`${path}/rollout`, { action: 'halt' })
    await work()
    const { status } = await admin.put(`${path}/rollout`, { action: 'set', percentage: 30 })
    assert.equal(status, 200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout 0.3'])
    assert.containsSubset((await run('rollout')).data.phased, { status: 'active', percentage: 30 })
    assert.equal(await liveVersion(given), '1.4.0')
  })

  test('is refused without a previous version, with the reason', async ({ assert }) => {
    const given = await withAll({ hasPredecessor: false })
    const { admin, path, work } = given
    for (const [call, input] of [
      ['redButton', {}],
      ['rollout', { action: 'halt' }],
    ] as const) {
      const { status, body } = await admin.put(`${path}/${call}`, input)
      assert.deepEqual([status, body.code], [409, 'rollout_no_predecessor'])
      assert.include(await whyNotStoppable(given), body.detail)
    }
    assert.match((await whyNotStoppable(given)) ?? '', /hotfix, or unpublish/)
    await work()
    assert.isEmpty(asked(given))
    assert.equal(await liveVersion(given), '1.4.0')
  })

  test('in the App Store warns, before 100 %, that updates by hand go on', async ({ assert }) => {
    const given = await rollingOut('apple')
    const { admin, path } = given
    for (const [call, input] of [
      ['redButton', {}],
      ['rollout', { action: 'pause' }],
    ] as const) {
      const { body } = await admin.put(`${path}/${call}`, input)
      const warning = body.warnings.find(({ code }: { code: string }) => code === 'updates_by_hand')
      assert.match(warning.message, /automatic updates.*hotfix.*from sale/)
    }
  })

  test('is refused in the App Store, with the remaining ways', async ({ assert }) => {
    const { admin, path, store, work } = await rollingOut('apple')
    store.rollout({ state: 'complete' })
    await work()
    for (const [call, input] of [
      ['redButton', {}],
      ['rollout', { action: 'pause' }],
    ] as const) {
      const { status, body } = await admin.put(`${path}/${call}`, input)
      assert.deepEqual([status, body.code], [409, 'rollout_not_running'])
      assert.match(body.detail, /hotfix, or remove it from sale/)
      assert.equal(await whyNotStoppable({ admin, path }), body.detail)
    }
  })

  test('lists other releases of the app that are in stores', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, path, store, work } = given
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.5.0/kickoff`)
    store.become('inReview', { version: '1.5.0' })
    await work()
    const { body } = await admin.put(`${path}/redButton`)
    // The only warning about 1.5.0 says that its review begins again.
    const warnings = body.warnings.filter(({ message }: { message: string }) =>
      message.includes('1.5.0')
    )
    assert.lengthOf(warnings, 1)
    assert.equal(warnings[0].code, 'review_restarts')
    assert.match(warnings[0].message, /^Google Play reviews 1\.5\.0 from the beginning/)
    await admin.post(`/app/${appId}/release`, { version: '1.6.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.6.0/skip`)
    const refused = await admin.put(`/app/${appId}/release/${appId}:1.6.0/redButton`)
    assert.equal(refused.status, 409)
    assert.sameMembers(
      refused.body.inStores.map(({ version }: { version: string }) => version),
      ['1.4.0', '1.5.0']
    )
  })
})
