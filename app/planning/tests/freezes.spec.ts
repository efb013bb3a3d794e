import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { UpdateFreezes } from '#planning/actions/update_freezes'
import type { Phase } from '#planning/calendar/freezes'
import { DAY, HOUR, makePlanned, pass, planned, ran, setStage, workAll } from './support.js'

const freeze = (from: string, to: string, phases: Phase[] = ['kickoff']) => ({
  name: 'Holidays',
  startAt: from,
  endAt: to,
  phases,
})

test.group('GET and PUT /app/{appId}/lifecycleFreezes', () => {
  test('200 replaces all of them; one that stays as it is keeps its id', async ({ assert }) => {
    const { admin, at, freeze: put, world } = await makePlanned()
    const now = new Date().toISOString()
    const on = freeze(earlier(now, HOUR), later(now, HOUR), ['kickoff', 'release'])
    const past = freeze(earlier(now, 9 * DAY), earlier(now, 8 * DAY), ['submit'])
    const first = await put([on, past])
    assert.equal(first.status, 200)
    assert.deepEqual(
      first.body.map(({ active, phases }: { active: boolean; phases: string[] }) => [
        active,
        phases,
      ]),
      [
        [false, ['submit']],
        [true, ['kickoff', 'release']],
      ]
    )
    assert.deepEqual((await admin.get(at('lifecycleFreezes'))).body, first.body)
    const count = (await world.events()).length
    assert.deepEqual((await put([past, on])).body, first.body)
    assert.equal((await world.events()).length, count)
    const overlapping = freeze(on.startAt, later(now, DAY))
    const second = await put([on, overlapping])
    assert.lengthOf(second.body, 2)
    assert.include(
      second.body.map(({ id }: { id: string }) => id),
      first.body[1].id
    )
    const window = `lifecycleFreezes?from=${later(now, 2 * HOUR)}&to=${later(now, 3 * HOUR)}`
    assert.lengthOf((await admin.get(at(window))).body, 1)
    assert.deepEqual((await put([])).body, [])
  })

  test('200 a dry run writes nothing; 412 somebody else was faster', async ({ assert }) => {
    const { admin, at } = await makePlanned()
    const path = at('lifecycleFreezes')
    const { headers } = await admin.get(path)
    const body = { freezes: [freeze('2026-12-21T00:00:00Z', '2027-01-04T00:00:00Z')] }
    assert.lengthOf((await admin.put(`${path}?dryRun=true`, body)).body, 1)
    assert.deepEqual((await admin.get(path)).body, [])
    const options = { headers: { 'if-match': headers.etag } }
    assert.equal((await admin.put(path, body, options)).status, 200)
    assert.equal((await admin.put(path, { freezes: [] }, options)).status, 412)
  })

  test('422 for an end before the start, no phase, or a phase twice; nothing is stored', async ({
    assert,
  }) => {
    const { freeze: put, admin, at } = await makePlanned()
    const good = freeze('2026-12-21T00:00:00Z', '2027-01-04T00:00:00Z')
    const cases: [object, string, string][] = [
      [{ ...good, endAt: good.startAt }, '/freezes/1/endAt', 'period'],
      [{ ...good, endAt: '2026-12-20T00:00:00Z' }, '/freezes/1/endAt', 'period'],
      [{ ...good, phases: [] }, '/freezes/1/phases', 'minLength'],
      [{ ...good, phases: ['kickoff', 'kickoff'] }, '/freezes/1/phases', 'distinct'],
      [{ ...good, phases: ['lunch'] }, '/freezes/1/phases/0', 'enum'],
    ]
    for (const [broken, pointer, code] of cases) {
      const response = await put([good, broken])
      assert.equal(response.status, 422)
      const found = response.body.errors.map((each: Record<string, string>) => [
        each.pointer,
        each.code,
      ])
      assert.deepEqual(found[0][0], pointer, code)
    }
    assert.deepEqual((await admin.get(at('lifecycleFreezes'))).body, [])
  })

  test('403 and 404', async ({ assert }) => {
    const { world, at, admin } = await makePlanned()
    const stranger = await makePlanned()
    const key = await world.keyed({ groups: ['QA'] })
    assert.equal((await key.put(at('lifecycleFreezes'), { freezes: [] })).status, 403)
    assert.equal((await admin.get(stranger.at('lifecycleFreezes'))).status, 404)
    assert.equal((await admin.put(stranger.at('lifecycleFreezes'), { freezes: [] })).status, 404)
  })
})

test.group('A freeze', () => {
  test('holds an automation back, which reports it, and lets it act at the end', async ({
    assert,
  }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const { automate, target, freeze: put, detail, admin, path } = train
    const now = stage.clock.now()
    const end = later(now, 30 * HOUR)
    await automate('kickoffOnTargetDate')
    await target('1.0.0', { targetKickoffAt: later(now, HOUR) })
    await put([freeze(now, end)])
    const { body: why } = await admin.get(`${path('1.0.0')}/whyNotMoving`)
    assert.include(JSON.stringify(why.release), 'held by a freeze')
    await pass(stage, 29 * HOUR, HOUR)
    assert.isNull((await detail('1.0.0')).kickedOffAt)
    const held = { type: 'automation.failed', result: 'skipped', reason: 'frozen', until: end }
    assert.containsSubset(await ran(train, '1.0.0'), [held])
    await pass(stage, HOUR)
    assert.equal((await detail('1.0.0')).kickedOffAt, end)
    assert.containsSubset(await ran(train, '1.0.0'), [held, { result: 'succeeded' }])
    await pass(stage, 10 * DAY)
    assert.lengthOf(await ran(train, '1.0.0'), 2)
  })

  test('that is extended or removed while an automation waits takes effect', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const { automate, target, detail, world, app } = train
    // The time is that of the stage, but calls use the service's own clock.
    const put = (freezes: ReturnType<typeof freeze>[]) =>
      stage.write((scope) => new UpdateFreezes(scope).handle(app, { freezes }), world)
    const now = stage.clock.now()
    await automate('kickoffOnTargetDate')
    await target('1.0.0', { targetKickoffAt: later(now, 2 * HOUR) })
    await put([freeze(later(now, HOUR), later(now, 5 * HOUR))])
    await pass(stage, 3 * HOUR, HOUR)
    await put([freeze(later(now, HOUR), later(now, 300 * HOUR))])
    await pass(stage, 200 * HOUR, 50 * HOUR)
    assert.isNull((await detail('1.0.0')).kickedOffAt)
    await put([])
    await workAll(stage)
    assert.equal((await detail('1.0.0')).kickedOffAt, stage.clock.now())
    assert.deepEqual(await planned(stage), [])
  })

  test('drops a date if the automation is set so', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const { automate, target, freeze: put, detail } = train
    const now = stage.clock.now()
    await automate('kickoffOnTargetDate', true, { config: { runAfterFreeze: false } })
    await target('1.0.0', { targetKickoffAt: later(now, HOUR) })
    await put([freeze(now, later(now, 3 * HOUR))])
    await pass(stage, 9 * HOUR, HOUR)
    assert.isNull((await detail('1.0.0')).kickedOffAt)
    assert.lengthOf(await ran(train, '1.0.0'), 1)
  })

  test('drops a waiting date if the automation is set so in the meantime', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const { automate, target, freeze: put, detail } = train
    const now = stage.clock.now()
    await automate('kickoffOnTargetDate')
    await target('1.0.0', { targetKickoffAt: later(now, HOUR) })
    await put([freeze(now, later(now, 5 * HOUR))])
    await pass(stage, 3 * HOUR, HOUR)
    assert.lengthOf(await ran(train, '1.0.0'), 1)
    await automate('kickoffOnTargetDate', true, { config: { runAfterFreeze: false } })
    await pass(stage, 9 * HOUR, HOUR)
    assert.isNull((await detail('1.0.0')).kickedOffAt)
    const [, dropped, ...others] = await ran(train, '1.0.0')
    assert.containsSubset(dropped, { result: 'skipped', reason: 'frozen' })
    assert.deepEqual(others, [])
  })

  test('warns people who kick off by hand, and does not stop them', async ({ assert }) => {
    const { admin, path, freeze: put } = await makePlanned(['1.0.0', '1.1.0'])
    const now = new Date().toISOString()
    await put([freeze(earlier(now, HOUR), later(now, HOUR), ['submit'])])
    const silent = await admin.put(`${path('1.0.0')}/kickoff`)
    const frozen = ({ warnings }: any) => warnings.filter(({ code }: any) => code === 'frozen')
    assert.isEmpty(frozen(silent.body))
    await put([freeze(earlier(now, HOUR), later(now, HOUR))])
    const { status, body } = await admin.put(`${path('1.1.0')}/kickoff`)
    assert.equal(status, 200)
    assert.isNotNull(body.kickedOffAt)
    assert.include(frozen(body)[0].message, 'Holidays')
  })

  test('is shown in the schedule', async ({ assert }) => {
    const { target, freeze: put, schedule } = await makePlanned(['1.0.0'])
    const now = new Date().toISOString()
    await target('1.0.0', { targetSubmitAt: later(now, 2 * HOUR) })
    const { body } = await put([freeze(now, later(now, DAY), ['submit'])])
    assert.deepEqual((await schedule())[0].frozenBy, [body[0].id])
  })
})
