import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { SetCadence } from '#planning/actions/set_cadence'
import type { SetCadenceInput } from '#planning/validators/planning_input'
import { patchConfig, DAY, HOUR, makePlanned, pass, setStage, weekly, workAll } from './support.js'

const ZONES = ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin', 'Asia/Kathmandu', 'UTC']

/** Sets a weekly train that is drafted a week ahead; edits use the clock of the stage. */
async function setTrain() {
  const stage = await setStage()
  const train = await makePlanned()
  const { app, world } = train
  const edit = (input: SetCadenceInput) =>
    stage.write((scope) => new SetCadence(scope).handle(app, input), world)
  const given = { ...weekly(stage.clock.now(), 8), draftWeeksAhead: 1 }
  await edit(given)
  const days = async () => {
    const rows: { slot: string }[] = await db
      .from('release_plans')
      .where('app_id', app)
      .whereNotNull('slot')
      .orderBy('slot')
      .select('slot')
    return rows.map(({ slot }) => slot)
  }
  const day = (count: number) => later(`${given.startDate}T00:00:00.000Z`, count * DAY).slice(0, 10)
  return { ...train, stage, edit, given, days, day }
}

test.group('A cadence that is edited while its trains are under way', () => {
  test('in another zone on the very day drafts each day once, and leaves none out', async ({
    assert,
  }) => {
    const { stage, edit, given, days, day, admin, at } = await setTrain()
    const { clock } = stage
    for (let week = 0; week < 6; week++) {
      for (const [index, timezone] of ZONES.entries()) {
        // Around noon, one zone may be a day behind or ahead of the other.
        const noon = later(`${given.startDate}T12:00:00.000Z`, (week - 1) * 7 * DAY)
        const moment = later(noon, (index - 2) * 60_000)
        if (moment > clock.now()) clock.travelTo(moment)
        if (index % 2 === 0) await workAll(stage)
        await edit({ timezone })
        await workAll(stage)
      }
      await pass(stage, DAY, 6 * HOUR)
    }
    assert.deepEqual(
      await days(),
      Array.from({ length: 6 }, (_each, week) => day(week * 7))
    )
    const { body } = await admin.get(at('timelineEvents?limit=200'))
    const leftOut = body.data.filter(({ type }: { type: string }) => type === 'app.trainLeftOut')
    assert.deepEqual(leftOut, [])
  })

  test('keeps a draft that somebody edited', async ({ assert }) => {
    const { stage, edit, days, day, schedule, given, admin, path } = await setTrain()
    await pass(stage, 2 * DAY, DAY)
    await admin.put(path('1.0.0'), { releaseName: 'Winter' })
    const [first] = await schedule(`?to=${later(stage.clock.now(), 9 * DAY)}`)
    assert.deepEqual([first.predicted, await days()], [false, [day(0)]])
    const edits: SetCadenceInput[] = [
      { intervalWeeks: 3 },
      { targets: [{ kickoff: { dayOffset: 1, time: '06:30' } }] },
      { startDate: day(2) },
      { startDate: given.startDate, intervalWeeks: 1 },
      { exceptions: [{ date: day(7), movedTo: day(9) }] },
      { skipFrozenDates: true, paused: true },
      { paused: false },
    ]
    for (const input of edits) {
      await edit(input)
      await workAll(stage)
      const [now] = await schedule(`?to=${later(stage.clock.now(), 9 * DAY)}`)
      assert.deepEqual(now, first, JSON.stringify(input))
    }
    await pass(stage, 15 * DAY, DAY)
    assert.deepEqual(await days(), [day(0), day(7), day(14)])
  })

  test('moved by some days moves its drafts, sends nothing twice, and begins on the given day', async ({
    assert,
  }) => {
    const { stage, edit, days, day } = await setTrain()
    await edit({ draftWeeksAhead: 3 })
    await pass(stage, 2 * DAY, DAY)
    assert.deepEqual(await days(), [day(0), day(7), day(14)])
    for (const shift of [1, 3, -2]) {
      await edit({ startDate: day(shift) })
      await workAll(stage)
      const dates = [shift, shift + 7, shift + 14].map(day)
      assert.deepEqual(await days(), dates, String(shift))
    }
    await pass(stage, 14 * DAY, DAY)
    assert.deepEqual(await days(), [-2, 5, 12, 19, 26].map(day))
    await edit({ startDate: day(28), intervalWeeks: 13 })
    await workAll(stage)
    assert.deepEqual((await days()).at(-1), day(28))
  })

  test('422 for a new exception of a decided train; exceptions from before may be sent again', async ({
    assert,
  }) => {
    const { stage, admin, at, edit, day, schedule } = await setTrain()
    const moved = { date: day(0), movedTo: day(1) }
    await edit({ exceptions: [moved, { date: day(7), skipped: true }] })
    await pass(stage, 3 * DAY, DAY)
    const shown = await schedule(`?to=${later(stage.clock.now(), 12 * DAY)}`)
    assert.isFalse(shown[0].predicted)
    const put = (exceptions: object[]) => admin.put(at('scheduleCadence'), { exceptions })
    const later14 = { date: day(14), movedTo: day(15) }
    assert.equal((await put([moved, later14])).status, 200)
    for (const broken of [
      { date: day(0), skipped: true },
      { date: day(0), movedTo: day(2) },
    ]) {
      const { status, body } = await put([later14, broken])
      assert.equal(status, 422)
      assert.containsSubset(body.errors, [{ pointer: '/exceptions/1/date', code: 'decided' }])
    }
    const { body } = await admin.get(at('scheduleCadence'))
    assert.equal((await admin.put(at('scheduleCadence'), body)).status, 200)
    const restored = await put([later14])
    assert.equal(restored.status, 422)
    assert.containsSubset(restored.body.errors, [{ pointer: '/exceptions', code: 'decided' }])
    assert.deepEqual((await schedule(`?to=${later(stage.clock.now(), 12 * DAY)}`))[0], shown[0])
    await pass(stage, 9 * DAY, DAY)
    // Its train has left.
    await edit({ exceptions: [later14] })
    const { exceptions } = (await admin.get(at('scheduleCadence'))).body
    assert.lengthOf(exceptions, 1)
  })

  test('goes on when its app is renamed, and ends when it is deleted', async ({ assert }) => {
    const { stage, admin, app, days, day } = await setTrain()
    const renamed = await patchConfig(admin, app, 'name: Another name\n')
    assert.equal(renamed.status, 200, renamed.text)
    await pass(stage, 2 * DAY, DAY)
    assert.deepEqual(await days(), [day(0)])
    // A worker is drafting the next train when the app is deleted.
    stage.clock.advance(7 * DAY)
    const [claimed] = (await stage.jobs()).filter(({ kind }) => kind === 'planning.draft')
    await Promise.all([
      admin.delete(`/app/${app}/app/config?force=true`),
      stage.worker.turn(),
      stage.another().turn(),
    ])
    assert.isDefined(claimed)
    await pass(stage, 14 * DAY, DAY)
    assert.deepEqual(await db.from('releases').where('app_id', app), [])
    assert.isEmpty((await stage.jobs()).filter(({ finished_at: end }) => end === null))
  })

  test('drafts no day twice if it is edited while a train is being drafted', async ({ assert }) => {
    const { stage, edit, days, day } = await setTrain()
    for (let week = 0; week < 5; week++) {
      stage.clock.advance(7 * DAY)
      const workers = [stage.worker, stage.another(), stage.another()]
      await Promise.all([
        ...workers.map((worker) => worker.turn()),
        edit({ draftWeeksAhead: 1 + (week % 3) }),
      ])
      await workAll(stage)
    }
    const found = await days()
    assert.deepEqual(
      found,
      found.map((_each, index) => day(index * 7))
    )
    assert.isAtLeast(found.length, 5)
  })
})
