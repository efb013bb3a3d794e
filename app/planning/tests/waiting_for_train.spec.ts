import { test } from '@japa/runner'
import { earlier, later } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'
import { makePlanned, pass, ran, setStage, workAll } from './support.js'

test.group('The automation of the kickoff', () => {
  test('waits while another release of the train is active, and acts once that is over', async ({
    assert,
  }) => {
    for (const end of ['complete', 'skip', 'delete'] as const) {
      const stage = await setStage()
      const train = await makePlanned(['1.0.0', '1.1.0'])
      const { automate, target, detail, admin, path } = train
      await automate('kickoffOnTargetDate')
      const targetKickoffAt = later(stage.clock.now(), HOUR)
      await target('1.1.0', { targetKickoffAt })
      const why = async () => (await admin.get(`${path('1.1.0')}/whyNotMoving`)).body
      const [ahead] = (await why()).next
      assert.equal(ahead.what, 'kickoff')
      assert.match(ahead.message, /if 1\.0\.0 is over by then, otherwise as soon as it is/)
      await pass(stage, 20 * HOUR, 5 * HOUR)
      assert.isNull((await detail('1.1.0')).kickedOffAt)
      assert.containsSubset(await ran(train, '1.1.0'), [
        { type: 'automation.failed', result: 'skipped', reason: 'train_held' },
      ])
      assert.lengthOf(await ran(train, '1.1.0'), 1)
      const waits = (await why()).release.find(
        ({ code }: { code: string }) => code === 'automation_held'
      )
      assert.match(waits.message, /waits: it acts once 1\.0\.0 is over/)
      const gone = path('1.0.0')
      if (end === 'delete') await admin.delete(gone)
      else await admin.put(`${gone}/${end}`)
      await workAll(stage)
      assert.equal((await detail('1.1.0')).kickedOffAt, stage.clock.now())
      assert.containsSubset((await ran(train, '1.1.0')).at(-1), { result: 'succeeded' })
    }
  })

  test('obeys a freeze and a pause after it waited for the train', async ({ assert }) => {
    for (const [held, reason] of [
      ['freeze', 'frozen'],
      ['pause', 'paused'],
    ]) {
      const stage = await setStage()
      const train = await makePlanned(['1.0.0', '1.1.0'])
      const { automate, target, detail, admin, path, freeze, pause } = train
      await automate('kickoffOnTargetDate')
      await target('1.1.0', { targetKickoffAt: later(stage.clock.now(), HOUR) })
      await pass(stage, 2 * HOUR)
      const now = stage.clock.now()
      if (held === 'pause') await pause({ paused: true })
      else {
        const endAt = later(now, DAY)
        await freeze([{ name: 'Late', startAt: earlier(now, HOUR), endAt, phases: ['kickoff'] }])
      }
      await admin.put(`${path('1.0.0')}/skip`)
      await workAll(stage)
      assert.isNull((await detail('1.1.0')).kickedOffAt)
      assert.containsSubset((await ran(train, '1.1.0')).at(-1), { reason })
      await pass(stage, 2 * DAY, HOUR)
      const isDone = (await detail('1.1.0')).kickedOffAt !== null
      assert.equal(isDone, held === 'freeze')
    }
  })

  test('acts on the new date alone if the date was moved while it waited', async ({ assert }) => {
    const stage = await setStage()
    const train = await makePlanned(['1.0.0', '1.1.0'])
    const { automate, target, detail, admin, path } = train
    await automate('kickoffOnTargetDate')
    await target('1.1.0', { targetKickoffAt: later(stage.clock.now(), HOUR) })
    await pass(stage, 2 * HOUR)
    const targetKickoffAt = later(stage.clock.now(), 5 * DAY)
    await target('1.1.0', { targetKickoffAt })
    await admin.put(`${path('1.0.0')}/skip`)
    await pass(stage, 2 * DAY, DAY)
    assert.isNull((await detail('1.1.0')).kickedOffAt)
    await pass(stage, 4 * DAY, DAY)
    assert.equal((await detail('1.1.0')).kickedOffAt, targetKickoffAt)
  })

  test('does not keep a person from kicking off, who is warned', async ({ assert }) => {
    const train = await makePlanned(['1.0.0', '1.1.0'])
    const { admin, path, detail } = train
    const heldIn = (body: any) => body.warnings.filter(({ code }: any) => code === 'train_held')
    assert.isEmpty(heldIn((await admin.put(`${path('1.0.0')}/kickoff`)).body))
    const { status, body } = await admin.put(`${path('1.1.0')}/kickoff`)
    assert.equal(status, 200)
    assert.equal(body.status, 'active')
    assert.include(heldIn(body)[0].message, '1.0.0 is the active release')
    assert.isNotNull((await detail('1.1.0')).kickedOffAt)
    assert.isEmpty(heldIn((await admin.put(`${path('1.1.0')}/kickoff`)).body))
  })
})
