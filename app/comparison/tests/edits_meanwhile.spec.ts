import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import Destination from '#apps/models/destination'
import { DEFAULT_APP_STORE_RELEASE_SETTINGS } from '#apps/settings'
import { sendYaml } from '#configuration/tests/functional/yaml'
import { sendFile } from '#distribution/tests/support'
import { newId } from '#foundation/core/ids'
import { appendIntegrations } from '#integrations/store_integrations'
import { StoreInMemory } from '#stores/tests/memory_store'
import { storeWorld, tidy } from '#stores/tests/support'
import { CUSTOM_BUILD } from '#tests/support/custom_integrations'
import { makeUser } from '#tests/support/app_fixture'
import { archive, withLiveVersion, type Use } from './support.js'

const NEW = 'New permissions since 1.0.0'
const RULE = 'changeApprovals: [{change: permissionAdded, groups: [Legal]}]'

/** Returns the CI build that an upload to a bucket names. */
const ofCi = (ciData: object) => ({ ...CUSTOM_BUILD, integrationId: 'generic-ci', ...ciData })

/** Makes release 1.4.0 with a store, custom CI and a bucket, after 1.0.0, which users have. */
async function inStore() {
  const given = await storeWorld('apple', [
    'kickoff',
    'approvals',
    'submission',
    'storeReview',
    'takeoff',
  ])
  const { admin, appId, world, path, store, work, sendCiBuild } = given
  await admin.post(`/org/${world.organizationId}/group`, { name: 'Legal', userActions: [] })
  await makeUser(world, 'lea@acme.example', ['Legal'])
  const { body: bucket } = await admin.post(`/app/${appId}/bucket`, { name: 'Candidates' })
  const file = async (version: string, number: string, uses: Use[], ciBuildInfo?: object) => {
    const sent = await sendFile(admin, `/app/${appId}/bucket/${bucket.id}/build`, {
      bytes: archive(version, { number, uses }),
      data: { ciBuildInfo },
    })
    if (sent.status !== 200) throw new Error(JSON.stringify(sent.body))
    await work()
    return sent.body.id
  }
  await file('1.0.0', '10', ['camera'])
  await admin.post(`/app/${appId}/release`, { version: '1.0.0' })
  const before = `/app/${appId}/release/${appId}:1.0.0`
  await admin.put(`${before}/kickoff`)
  const { status, body } = await admin.put(`${before}/complete`)
  if (status !== 200) throw new Error(JSON.stringify(body))
  const approvals = async () =>
    (await admin.get(`${path}/checklistItems?kind=approval`)).body.map(
      ({ title, status: { type } }: any) => `${title}: ${type}`
    )
  return {
    ...given,
    bucket,
    file,
    approvals,
    configure: (text: string) => sendYaml(admin, 'PATCH', `/app/${appId}/app/config`, text),
    /** Adds a CI build as the candidate, which the store and a bucket have. */
    async candidate(number: string, uses: Use[]) {
      const ciData = { buildIdentifier: number, commitHash: number.padStart(40, '0') }
      await sendCiBuild(ciData)
      store.upload(number)
      await work()
      await file('1.4.0', number, uses, ofCi(ciData))
    },
    async vote() {
      const { body: items } = await admin.get(`${path}/checklistItems?kind=approval`)
      return admin.put(`${path}/checklistItem/${items[0].id}/status`, {
        status: 'approved',
        userEmail: 'lea@acme.example',
      })
    },
  }
}

test.group('Changes that need an approval, edited meanwhile', (group) => {
  group.each.teardown(tidy)

  test('a rule that is added after the submission delays readiness to release until the approval', async ({
    assert,
  }) => {
    const { candidate, configure, approvals, vote, statuses, ...given } = await inStore()
    const { admin, path, store, work, reported } = given
    await candidate('4711', ['camera', 'location'])
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
    await work()
    await configure(RULE)
    assert.deepEqual(await approvals(), [`${NEW}: notStarted`])
    store.become('pendingRelease')
    await work()
    assert.equal((await statuses()).storeReview, 'complete')
    const ready = async () =>
      (await reported()).filter((type) => type === 'release.stepsReadyToRelease')
    assert.isEmpty(await ready())
    const { steps } = (await admin.get(`${path}/whyNotMoving`)).body
    const { unmet } = steps.find(({ type }: any) => type === 'approvals')
    assert.containsSubset(unmet, [{ code: 'item_not_done', who: [{ name: 'Legal' }] }])
    assert.equal((await vote()).status, 200)
    assert.lengthOf(await ready(), 1)
  })

  test('a release that waits for an approval moves on once its rule is removed', async ({
    assert,
  }) => {
    const { candidate, configure, approvals, statuses, admin, path } = await inStore()
    await configure(RULE)
    await candidate('4711', ['camera', 'location'])
    assert.deepEqual(await approvals(), [`${NEW}: notStarted`])
    const refused = await admin.put(`${path}/submit`, {})
    assert.deepEqual([refused.status, refused.body.code], [409, 'steps_incomplete'])
    await configure('changeApprovals: null')
    assert.isEmpty(await approvals())
    assert.equal((await statuses()).approvals, 'complete')
    assert.equal((await admin.put(`${path}/submit`, {})).status, 200)
  })

  test('each candidate without a file in a bucket needs an approval of its own', async ({
    assert,
  }) => {
    const { configure, approvals, vote, candidate, sendCiBuild, file } = await inStore()
    await configure(RULE)
    await candidate('4711', ['camera', 'location'])
    await vote()
    assert.deepEqual(await approvals(), [`${NEW}: approved`])
    const ciData = {
      buildIdentifier: '4712',
      commitHash: '4712'.padStart(40, '0'),
      startedAt: '2099-01-01T00:00:00.000Z',
    }
    await sendCiBuild(ciData)
    assert.deepEqual(await approvals(), [`${NEW}: not known: notStarted`])
    await vote()
    assert.deepEqual(await approvals(), [`${NEW}: not known: approved`])
    await sendCiBuild({ ...ciData, buildIdentifier: '4713', startedAt: '2099-01-02T00:00:00.000Z' })
    assert.deepEqual(await approvals(), [`${NEW}: not known: notStarted`], 'It was for 4712')
    ciData.buildIdentifier = '4713'
    await file('1.4.0', '4713', ['camera'], ofCi(ciData))
    assert.isEmpty(await approvals())
  })

  test('the build of one store needs an approval even if users of another store have the release', async ({
    assert,
  }) => {
    const { configure, approvals, candidate, file, ...given } = await inStore()
    const { admin, appId, world, provider, store, work, path } = given
    await configure(RULE)
    await world.write((scope) =>
      scope.create(Destination, {
        id: newId('dest'),
        appId,
        name: 'First',
        storeType: store.type,
        position: 0,
        appStoreReleaseSettings: DEFAULT_APP_STORE_RELEASE_SETTINGS,
        createdAt: scope.now,
      })
    )
    const made = await sendYaml(admin, 'POST', `/app/${appId}/destination/config`, 'name: Second')
    const destinationId = made.body.destinations[1].id
    const second = new StoreInMemory(store.type)
    store.others.set('second', second)
    await world.write((scope) =>
      appendIntegrations(scope, { appId, destinationId }, [
        { key: 'two', type: store.type, kind: 'appStore', provider, data: { bundleId: 'second' } },
      ])
    )
    await candidate('4711', ['camera'])
    store.become('live', { buildNumbers: ['4711'] })
    second.upload('4712')
    second.become('pendingRelease', { buildNumbers: ['4712'] })
    await admin.put(path, { releaseName: 'Both' })
    for (let turn = 0; turn < 3; turn++) await work()
    const own = { app_id: appId, version: '1.4.0' }
    const [released] = await db.from('releases').where(own).select('released_at')
    assert.isNotNull(released.released_at)
    await file('1.4.0', '4712', ['camera', 'location'])
    assert.deepEqual(await approvals(), [`${NEW}: notStarted`])
    const compared = async (more: string) => {
      const of = `releaseId=${appId}:1.4.0${more}`
      const { body } = await admin.get(`/app/${appId}/buildComparison?${of}`)
      const added = body.changes?.filter(({ kind }: any) => kind === 'permissionAdded')
      return [body.build?.buildNumber, added?.length, body.code]
    }
    const [first, other] = made.body.destinations
    for (const more of ['', `&destinationId=${first.id}`]) {
      assert.deepEqual(await compared(more), ['4711', 0, undefined])
    }
    assert.deepEqual(await compared(`&destinationId=${other.id}`), ['4712', 1, undefined])
    assert.deepEqual(await compared('&destinationId=dest_no'), [undefined, undefined, 'not_found'])
  })

  test('an approval stays when a file that cannot be read comes beside that of the live version', async ({
    assert,
  }) => {
    const { admin, appId, bucket, sendCiBuild, file, work, ...given } = await inStore()
    const { candidate, configure, approvals, vote, path } = given
    await configure(RULE)
    await admin.post(`/app/${appId}/release`, { version: '1.1.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.1.0/kickoff`)
    const live = { buildIdentifier: '11', branch: 'refs/heads/release/1.1.0' }
    await sendCiBuild({ ...live, version: '1.1.0' })
    await file('1.1.0', '11', ['camera'], ofCi(live))
    const done = await admin.put(`/app/${appId}/release/${appId}:1.1.0/complete`)
    assert.equal(done.status, 200, JSON.stringify(done.body))
    await candidate('4711', ['camera', 'location'])
    assert.equal((await vote()).status, 200)
    const approved = ['New permissions since 1.1.0: approved']
    assert.deepEqual(await approvals(), approved)

    const symbols = await sendFile(admin, `/app/${appId}/bucket/${bucket.id}/build`, {
      bytes: Buffer.from('no app'),
      fileName: 'Acme.dSYM.zip',
      data: { ciBuildInfo: ofCi(live) },
    })
    assert.equal(symbols.status, 200)
    for (const _ of ['unread', 'unreadable']) {
      await admin.put(path, { releaseName: _ })
      assert.deepEqual(await approvals(), approved, _)
      await work()
    }
    const { body } = await admin.get(`/app/${appId}/buildComparison?releaseId=${appId}:1.4.0`)
    assert.containsSubset(body, { base: { buildNumber: '11', whyUnread: null }, explanation: null })
  })

  test('builds are compared with the new live version as soon as it changes', async ({
    assert,
  }) => {
    const { build, draft, goLive, release } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    assert.deepEqual(await release.approvals(), [`${NEW}: notStarted`])
    await draft('1.0.1')
    await build('1.0.1', { number: '12', uses: ['camera', 'location'] })
    await goLive('1.0.1')
    assert.isEmpty(await release.approvals())
    assert.containsSubset((await release.compare()).body, {
      base: { version: '1.0.1', buildNumber: '12' },
      changes: [],
    })
  })

  test('an approval falls if a new live version leaves fewer changes', async ({ assert }) => {
    const { build, draft, goLive, release, world } = await withLiveVersion()
    await makeUser(world, 'lea@acme.example', ['Legal'])
    await build('1.1.0', { number: '11', uses: ['camera', 'contacts', 'location'] })
    const [{ id }] = await release.items()
    assert.equal((await release.vote(id, { userEmail: 'lea@acme.example' })).status, 200)
    await draft('1.0.1')
    await build('1.0.1', { number: '12', uses: ['camera', 'location'] })
    await goLive('1.0.1')
    const [{ status }] = await release.items()
    assert.equal(status.type, 'notStarted')
  })

  test('a rule that is added later demands nothing of a release that users have', async ({
    assert,
  }) => {
    const { build, configure, goLive, release, admin, app } = await withLiveVersion({ rules: '' })
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await goLive('1.1.0')
    await configure(RULE)
    assert.isEmpty(await release.items())
    const { body } = await admin.get(`/app/${app}`)
    assert.equal(body.liveVersion, '1.1.0')
  })

  test('once a group is deleted, everybody who may approve can give its approvals', async ({
    assert,
  }) => {
    const { build, release, admin, world, legal, app } = await withLiveVersion()
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    assert.equal((await admin.delete(`/org/${world.organizationId}/group/${legal.id}`)).status, 204)
    const [item] = await release.items()
    assert.deepEqual([item.title, item.owners], [NEW, []])
    const { text } = await admin.get(`/app/${app}/app/config`)
    assert.include(text, 'changeApprovals:\n  - change: permissionAdded\n')
    assert.notInclude(text, 'Legal')
    assert.equal((await release.vote(item.id)).status, 200)
  })

  test('rules that become equal as their groups are deleted are merged and keep their votes', async ({
    assert,
  }) => {
    const rules = 'changeApprovals: [{change: permissionAdded, groups: [Legal]}]'
    const { build, configure, release, admin, world, app, legal } = await withLiveVersion()
    const { body: other } = await admin.post(`/org/${world.organizationId}/group`, {
      name: 'Second',
      userActions: [],
    })
    await configure(rules.replace('}]', '}, {change: permissionAdded, groups: [Second]}]'))
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const [{ id }] = await release.items()
    await release.vote(id, { userEmail: 'lea@acme.example' })
    assert.lengthOf(await release.items(), 2)
    for (const { id: groupId } of [legal, other]) {
      await admin.delete(`/org/${world.organizationId}/group/${groupId}`)
    }
    assert.deepEqual(await release.approvals(), [`${NEW}: approved`])
    const { text } = await admin.get(`/app/${app}/app/config`)
    assert.equal((await configure(text)).status, 200)
    assert.deepEqual(await release.approvals(), [`${NEW}: approved`])
  })

  test('builds that older versions of the service read need approvals for missing facts', async ({
    assert,
  }) => {
    const rules = `changeApprovals:
  - {change: permissionAdded}
  - {change: frameworkAdded, groups: [Legal]}
`
    const { build, release, configure } = await withLiveVersion({ rules: '' })
    await db.from('build_readings').update({ contents: null })
    await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    await configure(rules)
    const items = await release.items()
    assert.deepEqual(
      items.map(({ title, owners }: any) => [title, owners.length]),
      [
        [NEW, 0],
        ['New frameworks since 1.0.0: not known', 1],
      ]
    )
    assert.equal(
      items[1].description,
      'Build 11 was not compared with 1.0.0 in frameworks and libraries: not read in full from both files, or the files are of different kinds.'
    )
  })
})
