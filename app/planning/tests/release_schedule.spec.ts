import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { makeUser } from '#tests/support/app_fixture'
import { DAY, makePlanned, setStage, weekly, workAll } from './support.js'

test.group('GET /app/{appId}/releaseSchedule', () => {
  test('200 shows drafts and predicted trains, with pilots in turn', async ({ assert }) => {
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

  test('200 names the day of a train by the cadence, also once it is moved and drafted', async ({
    assert,
  }) => {
    const stage = await setStage()
    const { admin, at, schedule } = await makePlanned(['1.4.0'])
    const dayIn = (days: number) => later(stage.clock.now(), days * DAY).slice(0, 10)
    const [own, movedTo] = [dayIn(2), dayIn(3)]
    const cadence = { ...weekly(stage.clock.now()), draftWeeksAhead: 1 }
    await admin.put(at('scheduleCadence'), { ...cadence, exceptions: [{ date: own, movedTo }] })
    const undecidedFrom = async () => (await admin.get(at('scheduleCadence'))).body.undecidedFrom
    const [predicted, next] = await schedule()
    assert.equal(predicted.targetKickoffAt.slice(0, 10), movedTo)
    assert.deepEqual([predicted.trainDate, next.trainDate], [own, dayIn(9)])
    assert.isAtMost((await undecidedFrom()).localeCompare(own), 0)
    await workAll(stage)
    const [drafted] = await schedule()
    assert.containsSubset(drafted, { predicted: false, trainDate: own })
    assert.isAbove((await undecidedFrom()).localeCompare(own), 0)
    const { targetKickoffAt } = drafted
    await admin.post(at('release'), { version: '9.0.0', targetKickoffAt })
    const byHand = (await schedule()).find(({ version }) => version === '9.0.0')
    assert.isNull(byHand!.trainDate)
  })

  test('200 for a window, even far ahead, and for an empty one', async ({ assert }) => {
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

  test('422 for a window that ends before it begins', async ({ assert }) => {
    const { admin, at } = await makePlanned()
    const path = at('releaseSchedule?from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z')
    const { status, body } = await admin.get(path)
    assert.equal(status, 422)
    assert.containsSubset(body.errors, [{ parameter: 'to', code: 'period' }])
  })
})
