import { test } from '@japa/runner'
import { makeUser } from '#tests/support/app_fixture'
import { makePlanned, patchConfig, planned, setStage, weekly } from './support.js'

test.group('GET and PUT /app/{appId}/scheduleCadence', () => {
  test('200 is switched off by default', async ({ assert }) => {
    const { admin, at } = await makePlanned()
    const { status, body } = await admin.get(at('scheduleCadence'))
    assert.equal(status, 200)
    assert.containsSubset(body, { enabled: false, startDate: null, targets: [], timezone: 'UTC' })
  })

  test('200 sets the given members, keeps the others, and writes nothing when repeated', async ({
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

  test('200 a dry run shows the result, and writes nothing', async ({ assert }) => {
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

  test('200 a shorter interval drops moves beyond the new neighbours', async ({ assert }) => {
    const { admin, at, app } = await makePlanned()
    const moved = (date: string, movedTo: string) => ({ date, movedTo })
    await admin.put(at('scheduleCadence'), {
      startDate: '2026-12-07',
      intervalWeeks: 2,
      targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }],
      exceptions: [moved('2026-12-07', '2026-12-18'), moved('2026-12-21', '2026-12-23')],
    })
    const { status, body } = await admin.put(at('scheduleCadence'), { intervalWeeks: 1 })
    assert.equal(status, 200)
    assert.deepEqual(
      body.exceptions.map(({ date }: { date: string }) => date),
      ['2026-12-21']
    )
    const file = await admin.get(at('app/config'))
    const again = await patchConfig(admin, app, file.text)
    assert.equal(again.status, 200, again.text)
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

  test('422 for each fault with its place and code, and nothing is stored', async ({ assert }) => {
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
      [{ ...sound, exceptions: [{ date: '8' }] }, '/exceptions/0/date', 'date'],
      [{ ...sound, exceptions: [{ date: '2026-11-31' }] }, '/exceptions/0/date', 'date'],
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
      const response = await admin.put(at('scheduleCadence'), body)
      assert.equal(response.status, 422, pointer)
      assert.containsSubset(response.body.errors, [{ pointer, code }])
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
