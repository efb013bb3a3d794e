import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { SetPause } from '#planning/actions/set_pause'
import { DAY, HOUR, makePlanned, pass, planned, ran, setStage, workAll } from './support.js'

test.group('PUT /app/{appId}/automations', () => {
  test('200 switches on and off, and repeating it writes nothing', async ({ assert }) => {
    const { automate, admin, at, world } = await makePlanned()
    const { body: list } = await admin.get(at('automations'))
    assert.deepEqual(
      list
        .filter(({ scheduled }: Record<string, boolean>) => scheduled)
        .map(({ type, status, phase }: Record<string, string>) => [type, status, phase]),
      [
        ['kickoffOnTargetDate', 'disabled', 'kickoff'],
        ['submitOnTargetDate', 'inactive', 'submit'],
        ['releaseOnTargetDate', 'inactive', 'release'],
      ]
    )
    const on = await automate('kickoffOnTargetDate')
    assert.equal(on.status, 200)
    assert.containsSubset(on.body, { enabled: true, status: 'enabled', scheduled: true })
    const count = (await world.events()).length
    assert.deepEqual((await automate('kickoffOnTargetDate')).body, on.body)
    assert.equal((await world.events()).length, count)
    const one = { releaseId: `nowhere:9.9.9`, config: { runAfterFreeze: false } }
    const ofOne = await automate('kickoffOnTargetDate', true, one)
    assert.deepEqual([ofOne.status, ofOne.body.errors[0].code], [422, 'app_only'])
    const off = await automate('kickoffOnTargetDate', false, { config: { runAfterFreeze: false } })
    assert.containsSubset(off.body, { status: 'disabled', config: { runAfterFreeze: false } })
  })

  test('409 what it needs is off, or what needs it is on', async ({ assert }) => {
    const { automate } = await makePlanned()
    const early = await automate('submitOnTargetDate')
    assert.deepEqual([early.status, early.body.code], [409, 'automation_dependency'])
    assert.include(early.body.detail, 'kickoffOnTargetDate')
    for (const type of ['kickoffOnTargetDate', 'submitOnTargetDate', 'releaseOnTargetDate']) {
      assert.equal((await automate(type)).status, 200)
    }
    const needed = await automate('kickoffOnTargetDate', false)
    assert.deepEqual([needed.status, needed.body.code], [409, 'automation_dependency'])
    assert.include(needed.body.detail, 'submitOnTargetDate')
  })

  test('409 for one release by the same rules', async ({ assert }) => {
    const { automate, app, admin, at } = await makePlanned(['1.0.0'])
    const one = { releaseId: `${app}:1.0.0` }
    const early = await automate('submitOnTargetDate', true, one)
    assert.deepEqual([early.status, early.body.code], [409, 'automation_dependency'])
    for (const type of ['kickoffOnTargetDate', 'submitOnTargetDate']) await automate(type)
    const needed = await automate('kickoffOnTargetDate', false, one)
    assert.deepEqual([needed.status, needed.body.code], [409, 'automation_dependency'])
    assert.equal((await automate('submitOnTargetDate', false, one)).status, 200)
    assert.equal((await automate('kickoffOnTargetDate', false, one)).status, 200)
    const { body } = await admin.get(at('automations'))
    assert.deepEqual(
      body.slice(0, 3).map(({ enabled }: { enabled: boolean }) => enabled),
      [true, true, false]
    )
  })

  test('409 for a hotfix, and for an automation of a store on a platform without one', async ({
    assert,
  }) => {
    const { automate, admin, at, app } = await makePlanned(['1.0.0'])
    const hotfix = { version: '1.0.1', releaseType: 'hotfix', baseTag: { name: 'v1.0.0' } }
    assert.equal((await admin.post(at('release'), hotfix)).status, 201)
    await automate('kickoffOnTargetDate')
    const releaseId = `${app}:1.0.1`
    const refused = await automate('kickoffOnTargetDate', true, { releaseId })
    assert.deepEqual([refused.status, refused.body.code], [409, 'automation_inactive'])
    const { body } = await admin.get(at(`automations?releaseId=${releaseId}`))
    assert.containsSubset(body[0], { enabled: false, status: 'inactive' })
    const ota = await makePlanned([], { platform: 'react-native-ota' })
    await ota.automate('kickoffOnTargetDate')
    assert.equal((await ota.automate('submitOnTargetDate')).body.code, 'automation_inactive')
    assert.equal((await ota.automate('releaseOnTargetDate')).status, 200)
  })

  test('403, 404 and 422', async ({ assert }) => {
    const { world, automate, at, app } = await makePlanned(['1.0.0'])
    const stranger = await makePlanned()
    const key = await world.keyed({ groups: ['QA'] })
    const body = { type: 'kickoffOnTargetDate', enabled: true }
    assert.equal((await key.put(at('automations'), body)).status, 403)
    assert.equal((await world.admin.put(stranger.at('automations'), body)).status, 404)
    const missing = await automate('kickoffOnTargetDate', true, { releaseId: `${app}:9.9.9` })
    assert.equal(missing.status, 404)
    assert.equal((await automate('flyOnTargetDate')).status, 422)
  })
})

test.group('An automation', () => {
  test('kicks off once at its time, whichever worker runs it', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const { automate, target, detail, timeline } = train
    await automate('kickoffOnTargetDate')
    const targetKickoffAt = later(stage.clock.now(), 2 * DAY)
    await target('1.0.0', { targetKickoffAt })
    stage.clock.travelTo(earlier(targetKickoffAt, 1))
    await workAll(stage)
    assert.isNull((await detail('1.0.0')).kickedOffAt)

    stage.clock.advance(1)
    const workers = [stage.worker, stage.another(), stage.another()]
    await Promise.all(workers.map((worker) => worker.turn()))
    assert.equal((await detail('1.0.0')).kickedOffAt, targetKickoffAt)
    assert.containsSubset(await ran(train, '1.0.0'), [
      { type: 'automation.ran', actor: 'kickoffOnTargetDate', result: 'succeeded', reason: null },
    ])
    const [kickedOff] = (await timeline('1.0.0')).filter(({ type }) => type === 'release.kickedOff')
    assert.containsSubset(kickedOff.actor, { type: 'automation', name: 'kickoffOnTargetDate' })
    const { body } = await train.admin.get(train.at('automations'))
    assert.containsSubset(body[0], { lastRunAt: targetKickoffAt, lastResult: 'succeeded' })
    await pass(stage, 30 * DAY)
    assert.lengthOf(await ran(train, '1.0.0'), 1)
    assert.deepEqual(await planned(stage), [])
  })

  test('follows a moved date, and skips a phase that was done by hand', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0', '1.1.0'])
    const { automate, target, detail, admin, path } = train
    await automate('kickoffOnTargetDate')
    const [first, second] = [1, 5].map((days) => later(stage.clock.now(), days * DAY))
    for (const version of ['1.0.0', '1.1.0']) await target(version, { targetKickoffAt: first })
    await target('1.0.0', { targetKickoffAt: second })
    await admin.put(`${path('1.1.0')}/kickoff`)
    stage.clock.travelTo(first)
    await workAll(stage)
    assert.isNull((await detail('1.0.0')).kickedOffAt)
    assert.deepEqual(await ran(train, '1.1.0'), [])
    stage.clock.travelTo(second)
    await workAll(stage)
    assert.equal((await detail('1.0.0')).kickedOffAt, second)
  })

  test('does not act on a date that had passed when it was switched on or set', async ({
    assert,
  }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0', '1.1.0'])
    const { automate, target } = train
    const past = { targetKickoffAt: earlier(stage.clock.now(), HOUR) }
    await target('1.0.0', past)
    await automate('kickoffOnTargetDate')
    await target('1.1.0', past)
    assert.deepEqual(await planned(stage), [])
    await pass(stage, DAY)
    assert.deepEqual([...(await ran(train, '1.0.0')), ...(await ran(train, '1.1.0'))], [])
  })

  test('acts late after an outage, and drops dates that are more than a day old', async ({
    assert,
  }) => {
    for (const [late, result] of [
      [20 * HOUR, 'succeeded'],
      [25 * HOUR, 'skipped'],
    ] as const) {
      const stage = await setStage()
      const train = await makePlanned(['1.0.0'])
      await train.automate('kickoffOnTargetDate')
      const targetKickoffAt = later(stage.clock.now(), HOUR)
      await train.target('1.0.0', { targetKickoffAt })
      stage.clock.travelTo(later(targetKickoffAt, late))
      await workAll(stage)
      assert.containsSubset(await ran(train, '1.0.0'), [{ result }])
      assert.equal((await train.detail('1.0.0')).kickedOffAt === null, result === 'skipped')
    }
  })

  test('that cannot submit reports the missing steps, or that there is no store', async ({
    assert,
  }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0', '1.1.0'], {
      steps: [{ type: 'kickoff' }, { type: 'approvals' }],
    })
    const { automate, target, admin, path } = train
    for (const type of ['kickoffOnTargetDate', 'submitOnTargetDate', 'releaseOnTargetDate']) {
      await automate(type)
    }
    const now = stage.clock.now()
    await target('1.0.0', { targetSubmitAt: later(now, HOUR) })
    await admin.put(`${path('1.1.0')}/kickoff`)
    await target('1.1.0', {
      targetSubmitAt: later(now, HOUR),
      targetReleaseAt: later(now, 2 * HOUR),
    })
    await pass(stage, 3 * HOUR)
    assert.containsSubset(await ran(train, '1.0.0'), [
      {
        type: 'automation.failed',
        result: 'skipped',
        reason: 'not_ready',
        incompleteSteps: [{ name: 'kickoff 0' }],
      },
    ])
    assert.containsSubset(await ran(train, '1.1.0'), [
      { automation: 'submitOnTargetDate', result: 'failed', reason: 'not_available' },
      { automation: 'releaseOnTargetDate', result: 'skipped', reason: 'not_ready' },
    ])
    assert.isNull((await train.detail('1.1.0')).submittedAt)
    const { body } = await admin.get(`${path('1.1.0')}/whyNotMoving`)
    assert.notInclude(
      body.next.map(({ what }: { what: string }) => what),
      'submit'
    )
  })

  test('does not act on a release that it is switched off for', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0', '1.1.0'])
    const { automate, target, app, detail, admin, path } = train
    await automate('kickoffOnTargetDate')
    const targetKickoffAt = later(stage.clock.now(), HOUR)
    for (const version of ['1.0.0', '1.1.0']) await target(version, { targetKickoffAt })
    const off = await automate('kickoffOnTargetDate', false, { releaseId: `${app}:1.1.0` })
    assert.containsSubset(off.body, { id: `${app}:1.1.0:kickoffOnTargetDate`, enabled: false })
    await pass(stage, 2 * HOUR)
    assert.equal((await detail('1.0.0')).kickedOffAt, later(targetKickoffAt, HOUR))
    await admin.put(`${path('1.0.0')}/complete`)
    await workAll(stage)
    assert.isNull((await detail('1.1.0')).kickedOffAt)
  })

  test('has no job left once its release is skipped or deleted, or its app is', async ({
    assert,
  }) => {
    for (const end of ['skip', 'delete', 'app'] as const) {
      const stage = await setStage()
      const { admin, app, automate, target, path, pause } = await makePlanned(['1.0.0'])
      await automate('kickoffOnTargetDate')
      await target('1.0.0', { targetKickoffAt: later(stage.clock.now(), 3 * DAY) })
      const resumeAt = later(stage.clock.now(), DAY)
      await pause({ paused: true, releaseId: `${app}:1.0.0`, resumeAt })
      assert.lengthOf(await planned(stage), 3)
      if (end === 'skip') await admin.put(`${path('1.0.0')}/skip`)
      if (end === 'delete') await admin.delete(path('1.0.0'))
      if (end === 'app') await admin.delete(`/app/${app}/config?force=true`)
      const left = (await planned(stage)).map(([kind]) => kind)
      assert.deepEqual(left, end === 'skip' ? ['planning.resume'] : [])
      await pass(stage, 4 * DAY)
    }
  })
})

test.group('PUT /app/{appId}/automations/pause', () => {
  test('200 pauses, shows who paused and why, and resumes by itself', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const { pause, admin, at, automate, target, timeline } = train
    await automate('kickoffOnTargetDate')
    await target('1.0.0', { targetKickoffAt: later(stage.clock.now(), HOUR) })
    const resumeAt = later(stage.clock.now(), 2 * HOUR)
    const paused = await pause({ paused: true, reason: 'Incident', resumeAt })
    assert.containsSubset(paused.body, {
      paused: true,
      pausedBy: 'admin',
      reason: 'Incident',
      resumeAt,
    })
    assert.deepEqual((await admin.get(at('automations/pause'))).body, paused.body)
    assert.equal((await admin.get(at('automations'))).body[0].status, 'paused')
    const { body: why } = await admin.get(`${train.path('1.0.0')}/whyNotMoving`)
    assert.include(JSON.stringify(why.release), 'held by a pause')
    await pass(stage, 3 * HOUR, HOUR)
    assert.containsSubset(await ran(train, '1.0.0'), [{ result: 'skipped', reason: 'paused' }])
    assert.deepEqual((await admin.get(at('automations/pause'))).body, {
      paused: false,
      pausedAt: null,
      pausedBy: null,
      reason: null,
      resumeAt: null,
    })
    assert.isNotEmpty(await timeline('1.0.0'))
  })

  test('200 pauses a single release, which shows it', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0', '1.1.0'])
    const { pause, automate, target, app, detail, admin, path } = train
    await automate('kickoffOnTargetDate')
    const targetKickoffAt = later(stage.clock.now(), 2 * HOUR)
    for (const version of ['1.0.0', '1.1.0']) await target(version, { targetKickoffAt })
    const releaseId = `${app}:1.1.0`
    await pause({ paused: true, releaseId, resumeAt: later(stage.clock.now(), HOUR) })
    assert.isTrue((await detail('1.1.0')).automationsPaused)
    assert.isFalse((await detail('1.0.0')).automationsPaused)
    await pass(stage, 90 * 60_000)
    assert.isFalse((await detail('1.1.0')).automationsPaused)
    await pause({ paused: true, releaseId })
    await pass(stage, HOUR)
    assert.isNotNull((await detail('1.0.0')).kickedOffAt)
    await admin.put(`${path('1.0.0')}/complete`)
    await workAll(stage)
    assert.isNull((await detail('1.1.0')).kickedOffAt)
    await pause({ paused: false, releaseId })
    await pass(stage, DAY)
    assert.isNull((await detail('1.1.0')).kickedOffAt)
  })

  test('200 a new pause first records the end of an expired one', async ({ assert }) => {
    for (const version of [undefined, '1.0.0']) {
      const stage = await setStage()
      const { world, app, admin, at, timeline } = await makePlanned(['1.0.0'])
      const releaseId = version && `${app}:${version}`
      const pause = (resumeAt: string | null) =>
        stage.write(
          (scope) => new SetPause(scope).handle(app, { paused: true, releaseId, resumeAt }),
          world
        )
      const end = later(stage.clock.now(), HOUR)
      await pause(end)
      // The worker with the timer is dead, and a person acts before another takes over.
      stage.clock.advance(2 * HOUR)
      await pause(null)
      await workAll(stage)
      const reported: { title: string; actor: { name: string } }[] = version
        ? await timeline(version)
        : (await admin.get(at('timelineEvents'))).body.data
      assert.deepEqual(
        reported
          .map(({ title, actor }) => [title.replace(' for 1.0.0', ''), actor.name])
          .filter(([title]) => title.startsWith('Automations'))
          .reverse(),
        [
          [`Automations are paused until ${end}`, 'test'],
          ['Automations resumed', 'clock'],
          ['Automations are paused', 'test'],
        ]
      )
    }
  })

  test('422 for an end in the past, or without a pause; nothing is paused', async ({ assert }) => {
    const { pause, admin, at } = await makePlanned()
    const past = await pause({ paused: true, resumeAt: '2020-01-01T00:00:00Z' })
    assert.equal(past.status, 422)
    assert.containsSubset(past.body.errors, [{ pointer: '/resumeAt', code: 'past' }])
    const none = await pause({ paused: false, resumeAt: '2099-01-01T00:00:00Z' })
    assert.containsSubset(none.body.errors, [{ pointer: '/resumeAt', code: 'not_paused' }])
    assert.isFalse((await admin.get(at('automations/pause'))).body.paused)
  })

  test('403 and 404', async ({ assert }) => {
    const { world, at, app, pause } = await makePlanned()
    const key = await world.keyed({ groups: ['QA'] })
    assert.equal((await key.put(at('automations/pause'), { paused: true })).status, 403)
    assert.equal((await pause({ paused: true, releaseId: `${app}:1.0.0` })).status, 404)
  })
})
