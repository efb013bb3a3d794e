import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { reported } from '#releases/tests/helpers/release_world'
import { DAY, HOUR, makePlanned, pass, setStage, workAll, type Planned } from './support.js'

const reminders = async ({ world }: Planned) =>
  (await reported(world))
    .filter(({ type }) => type.endsWith('Reminder'))
    .map(({ type, payload }) => [
      type,
      payload.incompleteSteps.map(({ name }: { name: string }) => name),
      payload.frozen,
    ])

test.group('A reminder', () => {
  test('is sent once, a day before each date, with the incomplete steps', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const now = stage.clock.now()
    const [kickoff, submit, release] = [3, 5, 7].map((days) => later(now, days * DAY))
    await train.target('1.0.0', {
      targetKickoffAt: kickoff,
      targetSubmitAt: submit,
      targetReleaseAt: release,
    })
    await train.freeze([
      { name: 'Holidays', startAt: submit, endAt: later(submit, HOUR), phases: ['submit'] },
    ])
    await pass(stage, 2 * DAY - HOUR)
    assert.deepEqual(await reminders(train), [])
    const workers = [stage.worker, stage.another()]
    stage.clock.advance(HOUR)
    await Promise.all(workers.map((worker) => worker.turn()))
    assert.deepEqual(await reminders(train), [
      ['release.kickoffReminder', ['kickoff 0'], undefined],
    ])
    await pass(stage, 10 * DAY, HOUR * 6)
    assert.deepEqual(
      (await reminders(train)).map(([type, , frozen]) => [type, frozen]),
      [
        ['release.kickoffReminder', undefined],
        ['release.submitReminder', true],
        ['release.releaseReminder', undefined],
      ]
    )
  })

  test('follows a moved date, is sent at once if it is late, and not for a phase that is done', async ({
    assert,
  }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const { target, admin, path } = train
    const now = stage.clock.now()
    await target('1.0.0', { targetKickoffAt: later(now, 2 * HOUR) })
    await workAll(stage)
    assert.lengthOf(await reminders(train), 1)
    await target('1.0.0', { targetKickoffAt: later(now, 9 * DAY) })
    await pass(stage, 7 * DAY)
    assert.lengthOf(await reminders(train), 1)
    await pass(stage, DAY)
    assert.lengthOf(await reminders(train), 2)
    await target('1.0.0', { targetKickoffAt: later(now, 20 * DAY) })
    await admin.put(`${path('1.0.0')}/kickoff`)
    await pass(stage, 30 * DAY)
    assert.lengthOf(await reminders(train), 2)
  })

  test('is sent only if its platform has the event', async ({ assert }) => {
    for (const [platform, expected] of [
      ['android', ['release.kickoffReminder', 'release.submitReminder']],
      ['react-native-ota', ['release.kickoffReminder']],
    ] as const) {
      const stage = await setStage()
      const train = await makePlanned(['1.0.0'], { platform })
      const at = later(stage.clock.now(), 2 * DAY)
      await train.target('1.0.0', { targetKickoffAt: at, targetSubmitAt: at, targetReleaseAt: at })
      await pass(stage, 3 * DAY, 6 * HOUR)
      assert.sameMembers(
        (await reminders(train)).map(([type]) => type),
        [...expected]
      )
    }
  })

  test('without a lead time is sent once on the date, and not for a phase that is done', async ({
    assert,
  }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0', '1.1.0'])
    const { admin, at, target, path } = train
    const type = 'release.kickoffReminder'
    await admin.put(at('notifications'), { type, leadTimeMinutes: 0 })
    const targetKickoffAt = later(stage.clock.now(), 2 * DAY)
    for (const version of ['1.0.0', '1.1.0']) await target(version, { targetKickoffAt })
    await admin.put(`${path('1.1.0')}/kickoff`)
    stage.clock.travelTo(earlier(targetKickoffAt, 1))
    await workAll(stage)
    assert.deepEqual(await reminders(train), [])
    stage.clock.advance(900)
    await workAll(stage)
    assert.deepEqual(await reminders(train), [[type, ['kickoff 0'], undefined]])
    await pass(stage, DAY, HOUR)
    assert.lengthOf(await reminders(train), 1)
  })

  test('is not sent for a date that passed while the service was down', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    await train.target('1.0.0', { targetKickoffAt: later(stage.clock.now(), 3 * DAY) })
    stage.clock.advance(4 * DAY)
    await workAll(stage)
    assert.deepEqual(await reminders(train), [])
  })
})

test.group('The setting of a reminder', () => {
  test('200 sets the lead time, or switches the reminder off', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0'])
    const { admin, at, target, world } = train
    const type = 'release.kickoffReminder'
    const { body: list } = await admin.get(at('notifications'))
    assert.containsSubset(list, [{ type, enabled: true, leadTimeMinutes: 1440 }])
    await target('1.0.0', { targetKickoffAt: later(stage.clock.now(), 3 * DAY) })
    const set = await admin.put(at('notifications'), { type, leadTimeMinutes: 60 })
    assert.containsSubset(set.body, { type, leadTimeMinutes: 60 })
    const count = (await world.events()).length
    await admin.put(at('notifications'), { type, leadTimeMinutes: 60 })
    assert.equal((await world.events()).length, count)
    await pass(stage, 3 * DAY - 2 * HOUR)
    assert.deepEqual(await reminders(train), [])
    await admin.put(at('notifications'), { type, enabled: false })
    await pass(stage, 90 * 60_000)
    assert.deepEqual(await reminders(train), [])
  })
})
