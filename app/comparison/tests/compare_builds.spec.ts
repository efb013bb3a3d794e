import { test } from '@japa/runner'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { CreateKey } from '#organizations/actions/create_key'
import { Api } from '#tests/support/api'
import { withLiveVersion } from './support.js'

test.group('GET /app/{appId}/buildComparison', () => {
  test('200 for two builds by their ids, in both directions', async ({ assert }) => {
    const { build, admin, app } = await withLiveVersion({ rules: '' })
    const one = await build('1.1.0', { number: '11', uses: ['camera'], minimum: '15.0' })
    const other = await build('1.1.0', {
      number: '12',
      uses: ['location'],
      minimum: '16.4',
      entitlements: { 'aps-environment': 'production' },
    })
    const compare = async (buildId: string, baseBuildId: string) =>
      (await admin.get(`/app/${app}/buildComparison?buildId=${buildId}&baseBuildId=${baseBuildId}`))
        .body
    const there = await compare(other, one)
    assert.containsSubset(there, {
      base: { buildId: one, buildNumber: '11', whyUnread: null, minimumOsVersion: '15.0' },
      build: { buildId: other, buildNumber: '12', version: '1.1.0', format: 'ipa' },
      notCompared: [],
      explanation: null,
    })
    const named = ({ kind, subject }: any) => `${kind} ${subject ?? ''}`.trim()
    const known = there.changes.map(named).filter((each: string) => !each.startsWith('size'))
    assert.deepEqual(known, [
      'permissionAdded NSLocationWhenInUseUsageDescription',
      'permissionRemoved NSCameraUsageDescription',
      'entitlementAdded aps-environment',
      'minimumOsRaised',
    ])
    const back = (await compare(one, other)).changes.map(named)
    assert.includeMembers(back, [
      'permissionAdded NSCameraUsageDescription',
      'entitlementRemoved aps-environment',
      'minimumOsLowered',
    ])
    assert.isEmpty((await compare(one, one)).changes)
  })

  test('200 compares a released version with the one that users had before it', async ({
    assert,
  }) => {
    const { build, release, releaseAt, goLive, draft } = await withLiveVersion({ rules: '' })
    await build('1.1.0', { number: '11' })
    await goLive('1.1.0')
    await draft('1.2.0')
    await build('1.2.0', { number: '12' })
    await goLive('1.2.0')
    const baseOf = async (of: ReturnType<typeof releaseAt>) =>
      (await of.compare()).body.base?.buildNumber ?? null
    assert.deepEqual(
      [await baseOf(release), await baseOf(releaseAt('1.2.0')), await baseOf(releaseAt('1.0.0'))],
      ['10', '11', null]
    )
  })

  test('200 compares a build or a release with the live version, and says if there is no build', async ({
    assert,
  }) => {
    const { build, release, admin, app } = await withLiveVersion({ rules: '' })
    assert.containsSubset((await release.compare()).body, {
      base: { releaseId: `${app}:1.0.0`, version: '1.0.0' },
      build: null,
      changes: [],
      explanation: 'The release has no build yet.',
    })
    const buildId = await build('1.1.0', { number: '11', uses: ['camera', 'location'] })
    const { body } = await admin.get(`/app/${app}/buildComparison?buildId=${buildId}`)
    const { body: ofRelease } = await release.compare()
    assert.containsSubset(body, { base: { buildNumber: '10' }, build: { releaseId: null } })
    assert.deepEqual(body.changes, ofRelease.changes)
    assert.equal(ofRelease.build.releaseId, `${app}:1.1.0`)
    assert.containsSubset(body.changes, [
      {
        kind: 'permissionAdded',
        message: 'Asks for NSLocationWhenInUseUsageDescription',
      },
    ])
  })

  test('200 for an entitlement with a name of any length that is stored', async ({ assert }) => {
    const { build, release } = await withLiveVersion({ rules: '' })
    const name = 'x'.repeat(6000)
    await build('1.1.0', { number: '11', uses: ['camera'], entitlements: { [name]: true } })
    const { status, body } = await release.compare()
    assert.equal(status, 200)
    assert.include(
      body.changes.map(({ subject }: any) => subject),
      name
    )
  })

  test('200 says why a build cannot be compared while its file is unread', async ({ assert }) => {
    const { upload, admin, app } = await withLiveVersion({ rules: '' })
    const { body: pending } = await upload('1.1.0', { number: '11' })
    const { body } = await admin.get(`/app/${app}/buildComparison?buildId=${pending.id}`)
    assert.containsSubset(body, {
      build: { whyUnread: 'its file is still being read', contents: null },
      changes: [],
      explanation: 'The file of the build was not read: its file is still being read.',
    })
  })

  test('422 unless one of build and release is given; 404 for an unknown or invisible one', async ({
    assert,
  }) => {
    const given = await withLiveVersion({ rules: '' })
    const { admin, app, world, build, release, legal } = given
    const path = `/app/${app}/buildComparison`
    for (const query of ['', `?buildId=a&releaseId=${app}:1.1.0`]) {
      const { status, body } = await admin.get(`${path}${query}`)
      assert.deepEqual([status, body.errors[0].pointer], [422, '/buildId'])
    }
    const id = await build('1.1.0', { number: '11' })
    const other = await makeApp(world)
    for (const at of [
      `${path}?buildId=build_no`,
      `${path}?releaseId=${app}:9.9.9`,
      `${path}?buildId=${id}&baseBuildId=build_no`,
      `/app/${other}/buildComparison?buildId=${id}`,
      '/app/none/buildComparison?buildId=x',
    ]) {
      assert.equal((await admin.get(at)).status, 404, at)
    }
    await makeUser(world, 'lea@acme.example', ['Legal'])
    const { key } = await world.write((scope) =>
      new CreateKey(scope).handle({ name: 'legal', groupIds: [legal.id] })
    )
    const api = new Api(key)
    assert.equal((await api.get(`${path}?buildId=${id}`)).status, 404, 'Its bucket is not visible')
    const { status, body } = await release.compare(api)
    assert.equal(status, 200, 'The build that a release ships is visible')
    const hidden = { buildId: null, bucketId: null, permissions: [], contents: null }
    assert.containsSubset(body, { base: hidden, build: { name: 'build 11', ...hidden } })
    assert.isNotNull((await release.compare()).body.build.contents)
  })
})
