import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld } from '#tests/support/world'
import { tidy } from '../support.js'
import { approvedPair, pairWorld, type PairWorld } from './support.js'

/** Returns all stored rows except the times of provider answers. */
const kept = async ({ world }: PairWorld) => ({
  ...(await snapshot([world.organizationId])),
  integrations: null,
})

test.group('PUT and DELETE …/release/{releaseId}/pair', (group) => {
  group.each.teardown(tidy)

  test('200 joins two releases once, from either side; 204 parts them once', async ({ assert }) => {
    const given = await pairWorld()
    const { admin, join, idOf, pathOf, release, titles, work } = given
    const { status, body } = await join()
    assert.equal(status, 200)
    const other = { releaseId: idOf('google'), storeType: 'google', takenOff: null }
    assert.deepEqual([body, (await release('apple')).pair], [other, other])
    assert.containsSubset((await release('google')).pair, { releaseId: idOf('apple') })
    await work(2)
    const before = await kept(given)
    assert.equal((await join({})).status, 200)
    const back = await admin.put(`${pathOf('google')}/pair`, { releaseId: idOf('apple') })
    assert.equal(back.status, 200)
    assert.deepEqual(await kept(given), before)
    assert.deepEqual(
      [await titles('apple', 'pair.joined'), await titles('google', 'pair.joined')],
      [
        ['1.4.0 goes out together with the Android release of its pair'],
        ['1.4.0 goes out together with the iOS release of its pair'],
      ]
    )
    assert.equal((await admin.delete(`${pathOf('google')}/pair`)).status, 204)
    await work()
    for (const type of ['apple', 'google'] as const) {
      assert.isNull((await release(type)).pair)
      assert.lengthOf(await titles(type, 'pair.parted'), 1)
    }
    const parted = await kept(given)
    assert.equal((await admin.delete(`${pathOf('apple')}/pair`)).status, 204)
    assert.deepEqual(await kept(given), parted)
    assert.equal((await join()).status, 200)
  })

  test('409 says why two cannot be joined, and nothing is stored', async ({ assert }) => {
    const given = await pairWorld()
    const { admin, world, apps, join, pathOf, idOf, stores, work } = given
    const made = async (platform: 'ios' | 'android', version = '1.4.0') => {
      const appId = await makeApp(world, { platform, steps: [{ type: 'kickoff' }] })
      await admin.post(`/app/${appId}/release`, { version })
      return `${appId}:${version}`
    }
    const refused = async (releaseId: string, more: object = { managedPublishing: true }) => {
      const before = await kept(given)
      const response = await admin.put(`${pathOf('apple')}/pair`, { releaseId, ...more })
      assert.deepEqual(await kept(given), before)
      return [response.status, response.body.code]
    }
    const storeless = await made('android')
    assert.deepEqual(await refused(storeless), [409, 'integration_missing'])
    assert.deepEqual(await refused(await made('ios')), [409, 'platforms_alike'])
    assert.deepEqual(await refused(idOf('apple')), [409, 'platforms_alike'])
    assert.deepEqual(await refused(idOf('google'), {}), [409, 'managed_publishing_needed'])
    assert.deepEqual(await refused(idOf('google'), { managedPublishing: false }), [
      409,
      'managed_publishing_needed',
    ])
    await admin.put(`${pathOf('google')}/skip`, {})
    assert.deepEqual(await refused(idOf('google')), [409, 'release_skipped'])
    await admin.put(`${pathOf('google')}/unskip`)
    await join()
    await admin.post(`/app/${apps.google}/release`, { version: '1.5.0' })
    assert.deepEqual(await refused(idOf('google', '1.5.0')), [409, 'release_paired'])
    await admin.delete(`${pathOf('apple')}/pair`)
    stores.google.upload('4711')
    stores.google.become('live', { buildNumbers: ['4711'] })
    await work()
    assert.deepEqual(await refused(idOf('google')), [409, 'already_out'])
  })

  test('409 for a version that goes out by itself; in a pair it is submitted to wait', async ({
    assert,
  }) => {
    const given = await pairWorld()
    const { join, submit, stores, work } = given
    stores.apple.become('inReview', { release: { method: 'auto' } })
    await work()
    const { status, body } = await join()
    assert.deepEqual([status, body.code], [409, 'goes_out_by_itself'])
    stores.apple.become('developerRejected')
    await work()
    assert.equal((await join()).status, 200)
    await submit('apple')
    assert.deepEqual(stores.apple.find('1.4.0')!.release, { method: 'manual' })
  })

  test('409 while a takeoff of one of them is under way', async ({ assert }) => {
    const given = await approvedPair()
    const { admin, pathOf, takeOff, join, idOf, work } = given
    await admin.delete(`${pathOf('apple')}/pair`)
    await takeOff('google')
    await work()
    const before = await kept(given)
    for (const from of ['apple', 'google'] as const) {
      const releaseId = idOf(from === 'apple' ? 'google' : 'apple')
      const sent = { releaseId, managedPublishing: true }
      const { status, body } = await admin.put(`${pathOf(from)}/pair`, sent)
      assert.deepEqual([status, body.code], [409, 'store_busy'])
      assert.include(body.detail, idOf('google'))
    }
    assert.deepEqual(await kept(given), before)
    await admin.put(`${pathOf('google')}/rollout`, { action: 'halt' })
    assert.equal((await join()).status, 200)
  })

  test('a version that Google Play holds needs no confirmation of managed publishing', async ({
    assert,
  }) => {
    const { join, submit, approve } = await pairWorld()
    await submit('google')
    await approve('google')
    assert.equal((await join({})).status, 200)
  })

  test('403, 404 and 422 without rights, for other organizations, and for invalid ids', async ({
    assert,
  }) => {
    const given = await pairWorld()
    const { world, apps, admin, pathOf, idOf } = given
    const body = { releaseId: idOf('google'), managedPublishing: true }
    const asked = async (by: typeof admin, sent: object = body) => {
      const before = await kept(given)
      const response = await by.put(`${pathOf('apple')}/pair`, sent)
      assert.deepEqual(await kept(given), before)
      return [response.status, response.body.code]
    }
    const marketing = await world.keyed({ groups: ['Marketing'] })
    assert.deepEqual(await asked(marketing), [403, 'action_missing'])
    const groups = ['Release Pilots']
    const ofApple = await world.keyed({ groups, appIds: [apps.apple] })
    assert.deepEqual(await asked(ofApple), [404, 'not_found'])
    const ofGoogle = await world.keyed({ groups, appIds: [apps.google] })
    assert.deepEqual(await asked(ofGoogle), [403, 'app_scope_missing'])
    const foreign = await makeWorld()
    assert.deepEqual(await asked(foreign.admin), [404, 'not_found'])
    const theirs = await makeApp(foreign, { platform: 'android' })
    await foreign.admin.post(`/app/${theirs}/release`, { version: '1.4.0' })
    for (const releaseId of [`${theirs}:1.4.0`, idOf('google', '9.9.9'), 'nothing']) {
      assert.deepEqual(await asked(admin, { ...body, releaseId }), [404, 'not_found'])
    }
    assert.deepEqual(await asked(admin, { managedPublishing: true }), [422, 'invalid_input'])
    assert.deepEqual(await asked(admin, { ...body, managedPublishing: 'yes' }), [
      422,
      'invalid_input',
    ])
    assert.equal((await marketing.delete(`${pathOf('apple')}/pair`)).status, 403)
  })

  test('a key that does not see the other app learns no id of it, and cannot take off the pair', async ({
    assert,
  }) => {
    const given = await approvedPair()
    const { world, apps, pathOf, idOf, asked, work } = given
    const key = await world.keyed({ groups: ['Release Pilots'], appIds: [apps.apple] })
    const { body: shown } = await key.get(`/v2/app/${apps.apple}/releases/${idOf('apple')}`)
    assert.deepEqual(shown.pair, { releaseId: null, storeType: 'google', takenOff: null })
    const { body: why } = await key.get(`${pathOf('apple')}/whyNotMoving`)
    assert.include(JSON.stringify(why.release), 'pair_waits')
    assert.notInclude(JSON.stringify(why), apps.google)
    const { body: reported } = await key.get(`${pathOf('apple')}/timelineEvents`)
    assert.notInclude(JSON.stringify(reported), apps.google)
    const refused = await key.put(`${pathOf('apple')}/takeoff`)
    assert.deepEqual([refused.status, refused.body.code], [403, 'app_scope_missing'])
    await work(2)
    assert.deepEqual(await asked(), { apple: false, google: false })
  })

  test('only those who see the other app learn its version and the refusal of its store', async ({
    assert,
  }) => {
    const given = await pairWorld()
    const { world, admin, apps, pathOf, idOf, stores, takeOff, work, titles, waits } = given
    await admin.post(`/app/${apps.google}/release`, { version: '1.5.0' })
    await admin.put(`${pathOf('google')}/skip`, { force: true })
    await admin.put(`${pathOf('google', '1.5.0')}/kickoff`)
    const joined = await admin.put(`${pathOf('apple')}/pair`, {
      releaseId: idOf('google', '1.5.0'),
      managedPublishing: true,
    })
    assert.equal(joined.status, 200)
    await given.submit('apple')
    await given.approve('apple')
    stores.google.upload('4712', '1.5.0')
    await work()
    assert.equal((await admin.put(`${pathOf('google', '1.5.0')}/submit`, {})).status, 200)
    await work()
    stores.google.upload('4700', '1.3.0')
    stores.google.become('pendingRelease', { version: '1.3.0', release: { method: 'manual' } })
    stores.google.become('pendingRelease', { version: '1.5.0' })
    await work()
    assert.equal((await takeOff('apple')).status, 200)
    await work(4)
    const key = await world.keyed({ groups: ['Release Pilots'], appIds: [apps.apple] })
    const { body: why } = await key.get(`${pathOf('apple')}/whyNotMoving`)
    assert.include(JSON.stringify(why), 'the Android release of its pair could not be released.')
    assert.match((await waits('apple')).join(), /could not be released: .*publishes all approved/)
    await admin.put(`${pathOf('google', '1.5.0')}/redButton`)
    await work(3)
    const [ended] = await titles('apple', 'pair.ended')
    assert.include(ended, 'the red button of the Android release was pressed')
    const { body: reported } = await key.get(`${pathOf('apple')}/timelineEvents?limit=200`)
    for (const shown of [why, reported]) {
      assert.notInclude(JSON.stringify(shown), '1.5.0')
      assert.notInclude(JSON.stringify(shown), apps.google)
    }
  })
})
