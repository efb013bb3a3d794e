import { test } from '@japa/runner'
import { makeTrain, recordStepFacts, reported, typesOf } from './helpers/release_world.js'

test.group('PUT /app/{appId}/release/{releaseId}/skip', () => {
  test('200 skips the release; the lowest upcoming version becomes active', async ({ assert }) => {
    const { world, admin, app, path, statuses, timeline } = await makeTrain([
      '1.0.0',
      '1.10.0',
      '1.9.0',
    ])
    const { status, body } = await admin.put(path('1.0.0') + '/skip', { reason: 'Folded' })
    assert.equal(status, 200)
    assert.containsSubset(body, { id: `${app}:1.0.0`, status: 'skipped', phase: 'skipped' })
    assert.isString(body.skippedAt)
    assert.deepEqual(await statuses(), {
      '1.0.0': 'skipped',
      '1.9.0': 'active',
      '1.10.0': 'upcoming',
    })
    const [skipped] = await timeline('1.0.0')
    assert.containsSubset(skipped, {
      type: 'release.skipped',
      actor: { type: 'apiKey', name: 'admin' },
      data: { status: { from: 'active', to: 'skipped' }, reason: 'Folded' },
    })
    assert.containsSubset((await timeline('1.9.0'))[0], {
      type: 'release.updated',
      data: { status: { from: 'upcoming', to: 'active' } },
    })
    assert.deepEqual(
      typesOf(await reported(world)),
      Array.from({ length: 3 }, () => 'release.created')
    )
  })

  test('200 skips an upcoming release without moving the train', async ({ assert }) => {
    const { admin, path, statuses } = await makeTrain(['1.0.0', '1.1.0', '1.2.0'])
    assert.equal((await admin.put(path('1.1.0') + '/skip')).body.status, 'skipped')
    assert.deepEqual(await statuses(), {
      '1.0.0': 'active',
      '1.1.0': 'skipped',
      '1.2.0': 'upcoming',
    })
  })

  test('200 repeating it changes nothing, with any form of the body', async ({ assert }) => {
    const { world, admin, path, detail, timeline } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0') + '/skip', {})
    const before = await detail('1.0.0')
    for (const body of [undefined, {}, { reason: null }]) {
      assert.equal((await admin.put(path('1.0.0') + '/skip', body)).status, 200)
    }
    assert.deepEqual(await detail('1.0.0'), before)
    assert.lengthOf(await timeline('1.0.0'), 2)
    assert.lengthOf(await reported(world), 1)
  })

  test('200 another reason is recorded once, and changes nothing else', async ({ assert }) => {
    const { world, admin, path, detail, timeline } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0') + '/skip', { reason: 'Folded' })
    const before = await detail('1.0.0')
    for (const reason of ['Folded', 'Folded into 1.1', 'Folded into 1.1']) {
      assert.equal((await admin.put(path('1.0.0') + '/skip', { reason })).status, 200)
    }
    assert.deepEqual(await detail('1.0.0'), before)
    assert.deepEqual(
      (await timeline('1.0.0', '?type=release.skipped')).map(({ data }) => data.reason),
      ['Folded into 1.1', 'Folded']
    )
    assert.lengthOf(await reported(world), 1)
  })

  test('200 a kicked-off release keeps its steps as they were', async ({ assert }) => {
    const { admin, path, detail } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    const before = (await detail('1.0.0')).steps
    const { body } = await admin.put(path('1.0.0') + '/skip')
    assert.containsSubset(body, { phase: 'skipped', readyToSubmit: false, readyToRelease: false })
    assert.deepEqual((await detail('1.0.0')).steps, before)
  })

  test('409 for a completed release', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    await admin.put(path('1.0.0') + '/complete')
    const { status, body } = await admin.put(path('1.0.0') + '/skip')
    assert.equal(status, 409)
    assert.containsSubset(body, {
      code: 'release_completed',
      currentStatus: 'completed',
      allowedActions: ['edit'],
    })
  })

  test('403 without the action, 404 for an unknown release, 415 and 422 for a bad body', async ({
    assert,
  }) => {
    const { world, admin, path, statuses } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    const qa = await world.keyed({ groups: ['QA'] })
    assert.equal((await qa.put(path('1.0.0') + '/skip')).status, 403)
    assert.equal((await admin.put(stranger.path('1.0.0') + '/skip')).status, 404)
    assert.equal((await admin.put(path('2.0.0') + '/skip')).status, 404)
    const text = { raw: 'reason', headers: { 'content-type': 'text/plain' } }
    assert.equal((await admin.send('PUT', path('1.0.0') + '/skip', text)).status, 415)
    for (const body of [{ reason: 7 }, { reason: 'x'.repeat(1001) }, ['x']]) {
      assert.equal((await admin.put(path('1.0.0') + '/skip', body)).status, 422)
    }
    assert.deepEqual(await statuses(), { '1.0.0': 'active' })
  })
})

test.group('PUT /app/{appId}/release/{releaseId}/unskip', () => {
  test('200 the release gets a status according to the current train', async ({ assert }) => {
    const { admin, path, statuses, timeline } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.put(path('1.0.0') + '/skip')
    const { status, body } = await admin.put(path('1.0.0') + '/unskip')
    assert.equal(status, 200)
    assert.containsSubset(body, { status: 'upcoming', phase: 'upcoming', skippedAt: null })
    assert.deepEqual(await statuses(), { '1.0.0': 'upcoming', '1.1.0': 'active' })
    assert.equal((await timeline('1.0.0'))[0].type, 'release.unskipped')
    await admin.put(path('1.1.0') + '/skip')
    assert.deepEqual(await statuses(), { '1.0.0': 'active', '1.1.0': 'skipped' })
    await admin.put(path('1.0.0') + '/skip')
    const alone = await admin.put(path('1.1.0') + '/unskip')
    assert.equal(alone.body.status, 'active')
  })

  test('200 a kicked-off release is active again, and its kickoff is not recorded twice', async ({
    assert,
  }) => {
    const { world, admin, path, statuses } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    await admin.put(path('1.0.0') + '/skip')
    const { body } = await admin.put(path('1.0.0') + '/unskip')
    assert.containsSubset(body, { status: 'active', readyToSubmit: true })
    assert.isString(body.kickedOffAt)
    assert.deepEqual(await statuses(), { '1.0.0': 'active', '1.1.0': 'active' })
    const events = typesOf(await reported(world))
    assert.lengthOf(
      events.filter((type) => type === 'release.kickedOff'),
      1
    )
    // It was not ready while it was skipped, so it becomes ready again.
    assert.equal(events.at(-1), 'release.stepsReadyToSubmit')
  })

  test('200 unfinished steps get a new run, others keep theirs, and old runs stay readable', async ({
    assert,
  }) => {
    const train = await makeTrain(['1.0.0'])
    const { world, admin, path, step, detail } = train
    await recordStepFacts(train, '1.0.0', 'submission', {
      selectedBuild: true,
      invalidBinary: false,
      submitted: false,
    })
    await recordStepFacts(train, '1.0.0', 'regressionTesting', { handSet: 'failed' })
    await recordStepFacts(train, '1.0.0', 'screenshots', { edited: true, approved: true })
    const old = new Map((await detail('1.0.0')).steps.map((each: any) => [each.type, each]))
    const oldOf = (type: string) => old.get(type) as any
    assert.equal(oldOf('submission').status, 'inProgress')
    assert.equal(oldOf('regressionTesting').status, 'blocked')
    const count = (await reported(world)).length

    await admin.put(path('1.0.0') + '/skip')
    await admin.put(path('1.0.0') + '/unskip')
    for (const type of ['kickoff', 'screenshots', 'approvals'] as const) {
      assert.deepEqual(await step('1.0.0', type), oldOf(type), type)
    }
    for (const type of ['submission', 'regressionTesting'] as const) {
      const now = await step('1.0.0', type)
      assert.equal(now.status, 'notStarted')
      assert.notEqual(now.stepRunId, oldOf(type).stepRunId)
      const before = await admin.get(`${path('1.0.0')}/stepRun/${oldOf(type).stepRunId}`)
      assert.containsSubset(before.body, {
        attempt: 1,
        status: oldOf(type).status,
        completedAt: null,
      })
      const present = await admin.get(`${path('1.0.0')}/stepRun/${now.stepRunId}`)
      assert.containsSubset(present.body, { attempt: 2, status: 'notStarted', stepId: now.id })
    }
    const events = (await reported(world)).slice(count)
    assert.deepEqual(
      events.map(({ type, payload }) => [type, payload.releaseSteps?.[0].type]),
      [
        ['release.regressionStatusUpdated', undefined],
        ['releaseStep.statusChanged', 'regressionTesting'],
        ['releaseStep.statusChanged', 'submission'],
      ]
    )
  })

  test('409 for a release that is not skipped', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0', '1.1.0'])
    for (const version of ['1.0.0', '1.1.0']) {
      const { status, body } = await admin.put(path(version) + '/unskip')
      assert.equal(status, 409)
      assert.equal(body.code, 'release_not_skipped')
      assert.include(body.allowedActions, 'skip')
    }
    await admin.put(path('1.0.0') + '/skip')
    await admin.put(path('1.0.0') + '/unskip')
    assert.equal((await admin.put(path('1.0.0') + '/unskip')).status, 409)
    await admin.put(path('1.0.0') + '/kickoff')
    await admin.put(path('1.0.0') + '/complete')
    const completed = await admin.put(path('1.0.0') + '/unskip')
    assert.equal(completed.body.code, 'release_completed')
  })

  test('403 and 404', async ({ assert }) => {
    const { world, admin, path } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    await stranger.admin.put(stranger.path('1.0.0') + '/skip')
    const qa = await world.keyed({ groups: ['QA'] })
    assert.equal((await qa.put(path('1.0.0') + '/unskip')).status, 403)
    assert.equal((await admin.put(stranger.path('1.0.0') + '/unskip')).status, 404)
    assert.deepEqual(await stranger.statuses(), { '1.0.0': 'skipped' })
  })
})

test.group('PUT /app/{appId}/release/{releaseId}/unskip with store texts', () => {
  const texts = [{ locale: 'de', whatsNew: 'Neu' }]

  /** Creates a release whose metadata step has texts. */
  async function makeWithTexts() {
    const train = await makeTrain(['1.0.0'], {
      steps: [{ type: 'kickoff' }, { type: 'metadata' }, { type: 'approvals' }],
    })
    const metadata = () => train.step('1.0.0', 'metadata')
    const of = async (runId?: string) => {
      const { stepRunId } = await metadata()
      return `${train.path('1.0.0')}/stepRun/${runId ?? stepRunId}`
    }
    await train.admin.put(`${await of()}/metadata`, { localizations: texts })
    return { ...train, metadata, of }
  }

  test('200 an unfinished metadata step keeps its texts in its new run', async ({ assert }) => {
    const { admin, path, metadata, of } = await makeWithTexts()
    const before = await metadata()
    await admin.put(path('1.0.0') + '/skip')
    assert.equal((await admin.put(path('1.0.0') + '/unskip')).status, 200)
    const after = await metadata()
    assert.notEqual(after.stepRunId, before.stepRunId)
    assert.equal(after.status, before.status)
    for (const runId of [before.stepRunId, after.stepRunId]) {
      const { body } = await admin.get(await of(runId))
      assert.containsSubset(body.data, { localizations: texts })
    }
    const more = { localizations: [{ locale: 'fr', whatsNew: 'Neuf' }] }
    await admin.put(`${await of()}/metadata`, more)
    const { body } = await admin.get(await of())
    assert.sameMembers(
      body.data.localizations.map((each: { locale: string }) => each.locale),
      ['de', 'fr']
    )
  })

  test('200 approvals of those texts stay', async ({ assert }) => {
    const { admin, app, path } = await makeWithTexts()
    const item = await admin.post(`/app/${app}/approval`, { title: 'Legal agrees' })
    const status = `${path('1.0.0')}/checklistItem/${item.body.id}/status`
    await admin.put(status, { status: 'approved' })
    await admin.put(path('1.0.0') + '/skip')
    await admin.put(path('1.0.0') + '/unskip')
    const { body } = await admin.get(`${path('1.0.0')}/checklistItems`)
    assert.containsSubset(body, [{ id: item.body.id, status: { type: 'approved' } }])
  })
})
