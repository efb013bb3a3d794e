import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { makeUser } from '#tests/support/app_fixture'
import { planning } from '#planning/module'
import { Stage } from '#foundation/agenda/tests/support/stage'
import { DAY, HOUR, makePlanned, pass, planned, releasesOf, setStage, workAll } from './support.js'

/** A weekly cadence whose first train begins some days from now, at noon in UTC. */
const weekly = (now: string, days = 2) => ({
  startDate: later(now, days * DAY).slice(0, 10),
  targets: [
    {
      kickoff: { dayOffset: 0, time: '12:00' },
      submit: { dayOffset: 3, time: '12:00' },
      release: { dayOffset: 7, time: '12:00' },
    },
  ],
})

test.group('GET and PUT /app/{appId}/scheduleCadence', () => {
  test('200 is switched off where nobody set one', async ({ assert }) => {
    const { admin, at } = await makePlanned()
    const { status, body } = await admin.get(at('scheduleCadence'))
    assert.equal(status, 200)
    assert.containsSubset(body, { enabled: false, startDate: null, targets: [], timezone: 'UTC' })
  })

  test('200 sets what is given, keeps what is not, and a repetition writes nothing', async ({
    assert,
  }) => {
    const { admin, at, world } = await makePlanned()
    const stage = await setStage()
    const first = await admin.put(at('scheduleCadence'), weekly(stage.clock.now()))
    assert.equal(first.status, 200)
    assert.containsSubset(first.body, { enabled: true, intervalWeeks: 1, draftWeeksAhead: 4 })
    const count = (await world.events()).length
    const again = await admin.put(at('scheduleCadence'), weekly(stage.clock.now()))
    assert.deepEqual(again.body, first.body)
    assert.equal((await world.events()).length, count)
    const changed = await admin.put(at('scheduleCadence'), {
      intervalWeeks: 3,
      timezone: 'Europe/Berlin',
    })
    assert.deepEqual(changed.body, { ...first.body, intervalWeeks: 3, timezone: 'Europe/Berlin' })
    assert.deepEqual((await admin.get(at('scheduleCadence'))).body, changed.body)
  })

  test('200 a dry run shows what it would come to, and writes nothing', async ({ assert }) => {
    const { admin, at, world } = await makePlanned()
    const stage = await setStage()
    const count = (await world.events()).length
    const path = at('scheduleCadence')
    const { status, body } = await admin.put(`${path}?dryRun=true`, weekly(stage.clock.now()))
    assert.equal(status, 200)
    assert.isTrue(body.enabled)
    assert.isFalse((await admin.get(path)).body.enabled)
    assert.equal((await world.events()).length, count)
    assert.deepEqual(await planned(stage), [])
  })

  test('412 somebody else was faster', async ({ assert }) => {
    const { admin, at } = await makePlanned()
    const body = {
      startDate: '2026-11-02',
      targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }],
    }
    const { headers } = await admin.get(at('scheduleCadence'))
    const options = { headers: { 'if-match': headers.etag } }
    assert.equal((await admin.put(at('scheduleCadence'), body, options)).status, 200)
    assert.equal((await admin.put(at('scheduleCadence'), { paused: true }, options)).status, 412)
  })

  test('422 each fault with its place and code, and nothing is kept', async ({ assert }) => {
    const { admin, at, world } = await makePlanned()
    const user = await makeUser(world, 'ann@acme.example')
    const kickoff = { dayOffset: 0, time: '10:00' }
    const sound = { startDate: '2026-11-02', targets: [{ kickoff }] }
    const none = { ...sound, exceptions: [{ date: '2026-11-09', movedTo: '2026-11-16' }] }
    const cases: [object, string, string][] = [
      [{ targets: [{ kickoff }] }, '/startDate', 'required'],
      [{ startDate: '2026-11-02' }, '/targets', 'required'],
      [{ ...sound, startDate: '2027-02-29' }, '/startDate', 'date'],
      [{ ...sound, startDate: '9999-12-31' }, '/startDate', 'date'],
      [{ ...sound, timezone: 'Europe/Atlantis' }, '/timezone', 'timezone'],
      [{ ...sound, timezone: '+02:00' }, '/timezone', 'timezone'],
      [{ ...sound, intervalWeeks: 0 }, '/intervalWeeks', 'min'],
      [{ ...sound, intervalWeeks: 1000 }, '/intervalWeeks', 'max'],
      [{ ...sound, intervalWeeks: 1.5 }, '/intervalWeeks', 'without_decimals'],
      [{ ...sound, draftWeeksAhead: 0 }, '/draftWeeksAhead', 'min'],
      [{ ...sound, draftWeeksAhead: 27 }, '/draftWeeksAhead', 'max'],
      [
        { ...sound, targets: [{ kickoff: { dayOffset: -1, time: '10:00' } }] },
        '/targets/0/kickoff/dayOffset',
        'min',
      ],
      [{ ...sound, targets: [] }, '/targets', 'array_min_length'],
      [
        { ...sound, targets: [{ kickoff, submit: { dayOffset: 0, time: '09:59' } }] },
        '/targets/0/submit',
        'target_order',
      ],
      [
        {
          ...sound,
          targets: [
            { kickoff: { dayOffset: 2, time: '10:00' }, release: { dayOffset: 1, time: '23:00' } },
          ],
        },
        '/targets/0/release',
        'target_order',
      ],
      [
        {
          ...sound,
          targets: [
            {
              kickoff,
              submit: { dayOffset: 5, time: '10:00' },
              release: { dayOffset: 4, time: '10:00' },
            },
          ],
        },
        '/targets/0/release',
        'target_order',
      ],
      [
        { ...sound, targets: [{ kickoff: { dayOffset: 0, time: '24:00' } }] },
        '/targets/0/kickoff/time',
        'regex',
      ],
      [{ ...sound, exceptions: [{ date: '2026-11-10' }] }, '/exceptions/0/date', 'no_train'],
      [none, '/exceptions/0/movedTo', 'beyond_neighbours'],
      [
        { ...sound, exceptions: [{ date: '2026-11-09', skipped: true, movedTo: '2026-11-10' }] },
        '/exceptions/0/movedTo',
        'skipped',
      ],
      [
        { ...sound, exceptions: [{ date: '2026-11-09' }, { date: '2026-11-09' }] },
        '/exceptions/1/date',
        'duplicate',
      ],
      [
        { ...sound, exceptions: [{ date: '2026-11-09', releasePilotId: 'gone@acme.example' }] },
        '/exceptions/0/releasePilotId',
        'unknown_user',
      ],
      [
        { ...sound, exceptions: [{ date: '2026-11-09', movedTo: '2026-11-31' }] },
        '/exceptions/0/movedTo',
        'date',
      ],
      [
        { ...sound, absences: [{ userId: 'usr_gone', from: '2026-11-09', to: '2026-11-10' }] },
        '/absences/0/userId',
        'unknown_user',
      ],
      [
        { ...sound, absences: [{ userId: user, from: '2026-11-11', to: '2026-11-10' }] },
        '/absences/0/to',
        'period',
      ],
    ]
    for (const [body, pointer, code] of cases) {
      const answer = await admin.put(at('scheduleCadence'), body)
      assert.equal(answer.status, 422, pointer)
      assert.containsSubset(answer.body.errors, [{ pointer, code }])
    }
    assert.isFalse((await admin.get(at('scheduleCadence'))).body.enabled)
  })

  test('403 and 404', async ({ assert }) => {
    const { world, at, admin } = await makePlanned()
    const stranger = await makePlanned()
    const key = await world.keyed({ groups: ['QA'] })
    assert.equal((await key.put(at('scheduleCadence'), { paused: true })).status, 403)
    assert.equal((await admin.get(stranger.at('scheduleCadence'))).status, 404)
    assert.equal((await admin.put(stranger.at('scheduleCadence'), { paused: true })).status, 404)
  })
})

test.group('GET /app/{appId}/releaseSchedule', () => {
  test('200 shows what is drafted and what will be, with pilots in turn', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, world, schedule, app } = await makePlanned(['1.4.0'])
    for (const name of ['ann', 'bob']) {
      await makeUser(world, `${name}@acme.example`, ['Release Pilots'])
    }
    await admin.put(at('scheduleCadence'), { ...weekly(stage.clock.now()), draftWeeksAhead: 1 })
    const before = await schedule()
    assert.deepEqual(
      before.slice(0, 3).map(({ version, predicted, pilot }) => [version, predicted, pilot?.email]),
      [
        ['1.5.0', true, 'ann@acme.example'],
        ['1.6.0', true, 'bob@acme.example'],
        ['1.7.0', true, 'ann@acme.example'],
      ]
    )
    assert.lengthOf(before, 12)
    await workAll(stage)
    const after = await schedule()
    assert.deepEqual(after[0], {
      ...before[0],
      releaseId: `${app}:1.5.0`,
      predicted: false,
      pilot: { ...before[0].pilot!, predicted: false },
    })
    assert.deepEqual(after.slice(1), before.slice(1))
  })

  test('200 of a window, also far ahead, and of nothing', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, schedule } = await makePlanned()
    assert.deepEqual(await schedule(), [])
    const now = stage.clock.now()
    await admin.put(at('scheduleCadence'), weekly(now))
    const far = `?from=${later(now, 400 * DAY)}&to=${later(now, 414 * DAY)}`
    assert.isNotEmpty(await schedule(far))
    const never = `?from=${later(now, 5000 * DAY)}&to=${later(now, 9000 * DAY)}`
    assert.deepEqual(await schedule(never), [])
    await admin.put(at('scheduleCadence'), { paused: true })
    assert.deepEqual(await schedule(), [])
  })

  test('422 a window that ends before it begins', async ({ assert }) => {
    const { admin, at } = await makePlanned()
    const path = at('releaseSchedule?from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z')
    const { status, body } = await admin.get(path)
    assert.equal(status, 422)
    assert.containsSubset(body.errors, [{ parameter: 'to', code: 'period' }])
  })
})

test.group('The cadence', () => {
  test('drafts as many weeks ahead as it is told, one after the other, and then waits', async ({
    assert,
  }) => {
    const stage = await setStage()
    const { admin, at, app, world, timeline } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now()))
    await workAll(stage)
    const drafted = (await releasesOf(app)).map(({ version }) => version)
    assert.deepEqual(drafted, ['1.0.0', '1.1.0', '1.2.0', '1.3.0'])
    const [created] = (await timeline('1.0.0')).filter(({ type }) => type === 'release.created')
    assert.containsSubset(created.actor, { type: 'automation', name: 'scheduleCadence' })
    const count = (await world.events()).filter(({ type }) => type === 'release.created').length
    assert.equal(count, 4)
    const drafting = (await planned(stage)).filter(([kind]) => kind === 'planning.draft')
    assert.lengthOf(drafting, 1)
    await pass(stage, 21 * DAY, 7 * DAY)
    assert.lengthOf(await releasesOf(app), 7)
  })

  test('drafts nothing twice, whoever works, also after a crash in between', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now()))
    // A process dies with what it has claimed, and another goes on at the end of the lease.
    await db
      .from('agenda_entries')
      .where('kind', 'planning.draft')
      .update({
        claim_id: 'clm_dead',
        look_at: later(stage.clock.now(), HOUR),
      })
    await workAll(stage)
    assert.deepEqual(await releasesOf(app), [])
    stage.clock.advance(HOUR)
    const workers = [stage.worker, stage.another(), stage.another()]
    for (let turn = 0; turn < 12; turn++) await Promise.all(workers.map((worker) => worker.turn()))
    const versions = (await releasesOf(app)).map(({ version }) => version)
    assert.deepEqual(versions, ['1.0.0', '1.1.0', '1.2.0', '1.3.0'])
  })

  test('what became of a train by hand stays so: moved, skipped, deleted', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app, path, target, schedule } = await makePlanned()
    const now = stage.clock.now()
    await admin.put(at('scheduleCadence'), weekly(now))
    await workAll(stage)
    const before = await schedule()
    await target('1.0.0', {
      targetKickoffAt: before[1].targetKickoffAt,
      targetSubmitAt: null,
      targetReleaseAt: null,
    })
    await admin.put(`${path('1.1.0')}/skip`)
    await admin.delete(path('1.2.0'))
    await pass(stage, 14 * DAY, 7 * DAY)
    const versions = (await releasesOf(app)).map(({ version }) => version).sort()
    assert.deepEqual(versions, ['1.0.0', '1.1.0', '1.3.0', '1.4.0', '1.5.0'])
  })

  test('a release made by hand for the day of a train stands for it', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    const now = stage.clock.now()
    const { startDate } = weekly(now)
    const targetKickoffAt = `${startDate}T08:00:00.000Z`
    await admin.post(at('release'), { version: '3.0.0', targetKickoffAt })
    await admin.put(at('scheduleCadence'), weekly(now))
    await workAll(stage)
    const versions = (await releasesOf(app)).map(({ version }) => version)
    assert.deepEqual(versions, ['3.0.0', '3.1.0', '3.2.0', '3.3.0'])
    const { body } = await admin.get(at('timelineEvents'))
    assert.include(JSON.stringify(body), 'a release made by hand stands for it')
  })

  test('paused or off it drafts nothing and leaves out what passes; a change keeps what is drafted', async ({
    assert,
  }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    await admin.put(at('scheduleCadence'), { ...weekly(stage.clock.now()), paused: true })
    assert.deepEqual(await planned(stage), [])
    await pass(stage, DAY)
    assert.deepEqual(await releasesOf(app), [])
    await admin.put(at('scheduleCadence'), { paused: false })
    await workAll(stage)
    assert.lengthOf(await releasesOf(app), 4)
    await admin.put(at('scheduleCadence'), { intervalWeeks: 2, draftWeeksAhead: 1 })
    await workAll(stage)
    assert.lengthOf(await releasesOf(app), 4)
    await admin.put(at('scheduleCadence'), { enabled: false })
    assert.deepEqual(
      (await planned(stage)).filter(([kind]) => kind === 'planning.draft'),
      []
    )
  })

  test('goes on with the pilots of others where one has left, and without any', async ({
    assert,
  }) => {
    const stage = await setStage()
    const { admin, at, world, schedule } = await makePlanned()
    const ann = await makeUser(world, 'ann@acme.example', ['Release Pilots'])
    await makeUser(world, 'bob@acme.example', ['Release Pilots'])
    const body = weekly(stage.clock.now())
    await admin.put(at('scheduleCadence'), {
      ...body,
      absences: [{ userId: ann, from: body.startDate, to: body.startDate }],
    })
    await stage.another().turn()
    const emails = async () => (await schedule()).map(({ pilot }) => pilot?.email ?? null)
    assert.deepEqual((await emails()).slice(0, 3), [
      'bob@acme.example',
      'ann@acme.example',
      'bob@acme.example',
    ])
    await db.from('group_members').where('user_id', ann).delete()
    assert.notInclude((await emails()).slice(4), 'ann@acme.example')
    await db.from('group_members').where('organization_id', world.organizationId).delete()
    assert.deepEqual(new Set((await emails()).slice(4)), new Set([null]))
  })

  test('goes on where a pilot left who was named for a train, or away', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, world, schedule, app } = await makePlanned()
    await makeUser(world, 'ann@acme.example', ['Release Pilots'])
    const gone = await makeUser(world, 'bob@acme.example')
    const body = weekly(stage.clock.now())
    const next = later(`${body.startDate}T00:00:00.000Z`, 7 * DAY).slice(0, 10)
    const { status } = await admin.put(at('scheduleCadence'), {
      ...body,
      exceptions: [{ date: next, releasePilotId: gone }],
      absences: [{ userId: gone, from: body.startDate, to: next }],
    })
    assert.equal(status, 200)
    const emails = async () => (await schedule()).slice(0, 2).map(({ pilot }) => pilot?.email)
    assert.deepEqual(await emails(), ['ann@acme.example', 'bob@acme.example'])
    await db.from('users').where('id', gone).delete()
    assert.deepEqual(await emails(), ['ann@acme.example', 'ann@acme.example'])
    assert.equal((await admin.get(at('scheduleCadence'))).status, 200)
    await workAll(stage)
    assert.isAbove((await releasesOf(app)).length, 1)
    assert.deepEqual(await emails(), ['ann@acme.example', 'ann@acme.example'])
  })

  test('is tried again a day after the last attempt to draft has failed', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now(), 9))
    await db.from('agenda_entries').where('kind', 'planning.draft').update({ attempts: 99 })
    assert.equal(await stage.worker.turn(), 1)
    assert.deepEqual(await releasesOf(app), [])
    assert.deepEqual(await planned(stage), [['planning.draft', later(stage.clock.now(), DAY)]])
    const { body } = await admin.get(at('timelineEvents'))
    assert.include(JSON.stringify(body), 'app.draftingFailed')
    await pass(stage, DAY)
    assert.isNotEmpty(await releasesOf(app))
  })

  test('of an idle app costs the workers nothing but its time', async ({ assert }) => {
    const stage = await Stage.set(...planning.work!)
    const { admin, at } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now(), 40))
    assert.lengthOf(await stage.entries(), 1)
    assert.equal(await stage.pass(HOUR), 0)
  })

  test('one that goes with its app leaves nothing in the agenda', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now()))
    await workAll(stage)
    await admin.delete(`/app/${app}/config?force=true`)
    assert.deepEqual(await planned(stage), [])
  })
})
