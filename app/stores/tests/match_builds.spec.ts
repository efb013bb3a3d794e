import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { BetaState } from '#plugin-kit/capabilities/stores'
import { storeWorld, tidy } from './support.js'

const COMMIT = 'c'.repeat(40)

test.group('builds of stores and of CI', (group) => {
  group.each.teardown(tidy)

  test('are matched by number, whichever of the two comes first', async ({ assert }) => {
    const { store, work, reported, sendCiBuild, world } = await storeWorld()
    await sendCiBuild({ buildIdentifier: '4711' })
    await reported()
    store.upload('4711')
    await work()
    assert.deepEqual(await reported(), [
      'appStoreBuild.newBuildAvailable',
      'ciBuild.appStoreBuildAssociated',
      'submission inProgress',
    ])
    store.upload('4712')
    await work()
    await reported()
    await sendCiBuild({ buildIdentifier: '4712' })
    assert.include(await reported(), 'ciBuild.appStoreBuildAssociated')
    const associated = (await world.events()).filter(
      ({ type }) => type === 'ciBuild.appStoreBuildAssociated'
    )
    assert.deepEqual(
      associated.map(({ payload }) => [
        payload.ciBuild.appStoreBuild.buildNumber,
        payload.appStoreBuild.ciBuildId === payload.ciBuild.id,
        payload.release.version,
      ]),
      [
        ['4711', true, '1.4.0'],
        ['4712', true, '1.4.0'],
      ]
    )
  })

  test('are matched by commit if the number matches nothing', async ({ assert }) => {
    const { store, work, sendCiBuild, release } = await storeWorld()
    const { body } = await sendCiBuild({ buildIdentifier: 'run-9', commitHash: COMMIT })
    store.upload('88', '1.4.0', { commitHash: COMMIT })
    await work()
    assert.equal((await release()).selectedBuild.ciBuildId, body.id)
  })

  test('are not matched if several builds fit', async ({ assert }) => {
    const { store, work, sendCiBuild, release, appId } = await storeWorld()
    for (const workflowId of ['one.yml', 'two.yml']) {
      const workflowData = { workflowId, workflowName: workflowId }
      await sendCiBuild({ buildIdentifier: '88', workflowData })
    }
    store.upload('88')
    await work()
    // Without a match, no build is known to be the candidate’s.
    assert.isNull((await release()).selectedBuild)
    const rows = await db.from('app_store_builds').where('app_id', appId)
    assert.deepEqual(
      rows.map((row) => row.ci_build_id),
      [null]
    )
  })

  test('in beta are recorded once, and complete beta testing once testers have them', async ({
    assert,
  }) => {
    const { store, work, reported, statuses } = await storeWorld('apple', [
      'kickoff',
      'betaTesting',
      'submission',
    ])
    const build = store.upload('4711')
    await work()
    await reported()
    const waiting = {
      state: 'processing' as const,
      raw: 'PROCESSING',
      beganAt: '',
      observedAt: '',
      lagSeconds: 0,
    }
    store.betaBuilds.push({ ...build, status: waiting })
    await work()
    assert.deepEqual(await reported(), ['betaBuild.newBuildAvailable'])
    store.betaBuilds[0].status = {
      state: 'ready',
      raw: 'IN_BETA_TESTING',
      beganAt: '',
      observedAt: '',
      lagSeconds: 0,
    }
    await work()
    assert.deepEqual(await reported(), ['betaTesting complete', 'release.stepsReadyToSubmit'])
    assert.equal((await statuses()).betaTesting, 'complete')
  })

  test('in beta wait for their review, which is shown in the words of the store', async ({
    assert,
  }) => {
    const { store, work, statuses, admin, path } = await storeWorld('apple', [
      'kickoff',
      'betaTesting',
      'submission',
    ])
    const build = store.upload('4711')
    store.betaBuilds.push(build)
    const become = async (state: BetaState | 'unknown', raw: string) => {
      build.testing = { state, raw, beganAt: '', observedAt: '', lagSeconds: 0 }
      await work()
      const { body } = await admin.get(`${path}/whyNotMoving`)
      const { unmet } = body.steps.find(({ type }: { type: string }) => type === 'betaTesting')
      return [
        (await statuses()).betaTesting,
        ...unmet.map(({ code, message }: Record<string, string>) => `${code}: ${message}`),
      ]
    }
    const inReview = (raw: string) => [
      'inProgress',
      `beta_in_review: The beta build 4711 is in review (${raw}).`,
    ]
    const none = ['notStarted', 'no_beta_build: There is no beta build yet.']
    assert.deepEqual(await become('unknown', 'NEW_WORD'), none)
    const [waiting, review] = ['WAITING_FOR_BETA_REVIEW', 'IN_BETA_REVIEW']
    assert.deepEqual(await become('inReview', waiting), inReview(waiting))
    assert.deepEqual(await become('inReview', review), inReview(review))
    assert.deepEqual(await become('rejected', 'BETA_REJECTED'), [
      'blocked',
      'beta_rejected: The beta build 4711 was rejected (BETA_REJECTED).',
    ])
    assert.deepEqual(await become('unknown', 'NEW_WORD'), [
      'blocked',
      'beta_rejected: The beta build 4711 was rejected (NEW_WORD).',
    ])
    assert.deepEqual(await become('testing', 'BETA_APPROVED'), ['complete'])
    // Testers have this build, whatever happens to the next.
    store.betaBuilds.push(
      store.upload('4712', '1.4.0', {
        testing: { state: 'inReview', raw: waiting, beganAt: '', observedAt: '', lagSeconds: 0 },
      })
    )
    await work()
    assert.equal((await statuses()).betaTesting, 'complete')
  })

  test('an expired or invalid build is not selected by the service', async ({ assert }) => {
    const { store, work, release } = await storeWorld()
    store.upload('1')
    store.upload('2', '1.4.0', {
      status: { state: 'invalid', raw: 'INVALID', beganAt: '', observedAt: '', lagSeconds: 0 },
    })
    store.upload('3', '1.4.0', {
      status: {
        state: 'processing',
        raw: 'PROCESSING',
        beganAt: '',
        observedAt: '',
        lagSeconds: 0,
      },
    })
    await work()
    assert.equal((await release()).selectedBuild.buildNumber, '1')
    store.builds[0].status = {
      state: 'expired',
      raw: 'VALID',
      beganAt: '',
      observedAt: '',
      lagSeconds: 0,
    }
    store.builds[2].status = {
      state: 'ready',
      raw: 'VALID',
      beganAt: '',
      observedAt: '',
      lagSeconds: 0,
    }
    await work()
    assert.equal((await release()).selectedBuild.buildNumber, '3')
  })

  test('a build that came before its release was created belongs to the release', async ({
    assert,
  }) => {
    const { store, work, admin, appId, release } = await storeWorld()
    store.upload('7', '1.5.0')
    store.become('preparing')
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.5.0/kickoff`)
    await work()
    assert.equal((await release('1.5.0')).selectedBuild?.buildNumber, '7')
  })

  test('without a match are linked by hand, and stay so', async ({ assert }) => {
    const { store, work, reported, sendCiBuild, admin, appId, path } = await storeWorld()
    const one = { workflowId: 'one.yml', workflowName: 'one' }
    const { body: first } = await sendCiBuild({ buildIdentifier: '88', workflowData: one })
    await sendCiBuild({ buildIdentifier: '88' })
    store.upload('88')
    await work()
    const { body: page } = await admin.get(`${path}/appStoreBuilds`)
    const [{ id, ciBuildId }] = page.data
    assert.isNull(ciBuildId)
    await reported()
    const link = (body: object) => admin.put(`/app/${appId}/appStoreBuild/${id}/ciBuild`, body)
    const { status, body } = await link({ ciBuildId: first.id })
    assert.deepEqual([status, body.ciBuildId], [200, first.id])
    assert.deepEqual(await reported(), ['ciBuild.appStoreBuildAssociated'])
    await link({ ciBuildId: first.id })
    await work()
    assert.isEmpty(await reported())
    const unknown = await link({ ciBuildId: 'build_no' })
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/ciBuildId'])
    assert.isNull((await link({ ciBuildId: null })).body.ciBuildId)
    const nowhere = await admin.put(`/app/${appId}/appStoreBuild/build_no/ciBuild`, {
      ciBuildId: null,
    })
    assert.equal(nowhere.status, 404)
  })

  test('without a version belong to the release of the CI build that they are linked to', async ({
    assert,
  }) => {
    const given = await storeWorld('apple', ['kickoff', 'betaTesting'])
    const { store, work, reported, sendCiBuild, admin, appId, path } = given
    const { body: ciBuild } = await sendCiBuild({ buildIdentifier: 'run-9' })
    // The store has approved it meanwhile.
    const at = new Date().toISOString()
    await db.from('releases').where('app_id', appId).update({ submitted_at: at, approved_at: at })
    store.betaBuilds.push({
      ...{ id: 'B88', number: '88', version: 'nightly', uploadedAt: store.now() },
      status: { state: 'ready', raw: 'VALID', beganAt: '', observedAt: '', lagSeconds: 0 },
    })
    await work()
    await reported()
    assert.isEmpty((await admin.get(`${path}/appStoreBuilds`)).body.data)
    const [{ id }] = await db.from('app_store_builds').where('app_id', appId).select('id')
    const link = { ciBuildId: ciBuild.id }
    const { status } = await admin.put(`/app/${appId}/appStoreBuild/${id}/ciBuild`, link)
    assert.equal(status, 200)
    assert.deepEqual(await reported(), [
      'ciBuild.appStoreBuildAssociated',
      'betaTesting complete',
      'release.stepsReadyToSubmit',
      'release.stepsReadyToRelease',
    ])
  })
})
