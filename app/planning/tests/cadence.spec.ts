import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { makeUser } from '#tests/support/app_fixture'
import { planning } from '#planning/module'
import { Stage } from '#foundation/jobs/tests/support/stage'
import {
  DAY,
  HOUR,
  makePlanned,
  pass,
  patchConfig,
  planned,
  releasesOf,
  setStage,
  weekly,
  workAll,
} from './support.js'

test.group('The cadence', () => {
  test('drafts the configured number of weeks ahead, one after the other, and then waits', async ({
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

  test('that is removed and set again drafts no day twice', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    const given = weekly(stage.clock.now())
    await admin.put(at('scheduleCadence'), given)
    await workAll(stage)
    const before = await releasesOf(app)
    assert.lengthOf(before, 4)
    const [targets] = given.targets
    for (const cadence of [null, { ...given, targets }]) {
      const file = JSON.stringify({ 'x-scheduleCadence': cadence })
      const { status, text } = await patchConfig(admin, app, file)
      assert.equal(status, 200, text)
      await workAll(stage)
    }
    assert.deepEqual(await releasesOf(app), before)
    await pass(stage, 7 * DAY)
    assert.lengthOf(await releasesOf(app), 5)
  })

  test('stored between the day of a train and the later one it was moved to keeps that train', async ({
    assert,
  }) => {
    const stage = await setStage()
    const { admin, at, schedule } = await makePlanned()
    const given = weekly(stage.clock.now(), -1)
    const day = (days: number) => later(`${given.startDate}T12:00:00.000Z`, days * DAY)
    await admin.put(at('scheduleCadence'), {
      ...given,
      intervalWeeks: 2,
      draftWeeksAhead: 1,
      exceptions: [{ date: given.startDate, movedTo: day(11).slice(0, 10) }],
    })
    await pass(stage, 9 * DAY, DAY)
    const drafted = (await schedule()).filter(({ predicted }) => !predicted)
    assert.deepEqual(
      drafted.map(({ version, targetKickoffAt }) => [version, targetKickoffAt]),
      [
        ['1.0.0', day(11)],
        ['1.1.0', day(14)],
      ]
    )
  })

  test('drafts nothing twice, with several workers and after a crash', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now()))
    // A process dies with what it has claimed, and another goes on at the end of the lease.
    await db
      .from('jobs')
      .where('kind', 'planning.draft')
      .update({
        claim_id: 'clm_dead',
        visible_at: later(stage.clock.now(), HOUR),
      })
    await workAll(stage)
    assert.deepEqual(await releasesOf(app), [])
    stage.clock.advance(HOUR)
    const workers = [stage.worker, stage.another(), stage.another()]
    for (let turn = 0; turn < 12; turn++) await Promise.all(workers.map((worker) => worker.turn()))
    const versions = (await releasesOf(app)).map(({ version }) => version)
    assert.deepEqual(versions, ['1.0.0', '1.1.0', '1.2.0', '1.3.0'])
  })

  test('does not draft a train again that was moved, skipped or deleted by hand', async ({
    assert,
  }) => {
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

  test('leaves out a train if a release was made by hand for its day', async ({ assert }) => {
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
    assert.include(JSON.stringify(body), 'a release created by hand takes its place')
  })

  test('drafts nothing while paused or off; drafts follow a change of dates, but not of the weeks ahead', async ({
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
    await admin.put(at('scheduleCadence'), { draftWeeksAhead: 1 })
    await workAll(stage)
    assert.lengthOf(await releasesOf(app), 4)
    await admin.put(at('scheduleCadence'), { intervalWeeks: 2 })
    await workAll(stage)
    assert.lengthOf(await releasesOf(app), 2)
    await admin.put(at('scheduleCadence'), { enabled: false })
    assert.deepEqual(
      (await planned(stage)).filter(([kind]) => kind === 'planning.draft'),
      []
    )
  })

  test('goes on with the remaining pilots when one has left, and without any', async ({
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

  test('passes over pilots who are away, also for releases that are made by hand', async ({
    assert,
  }) => {
    const { admin, at, world } = await makePlanned()
    const ann = await makeUser(world, 'ann@acme.example', ['Release Pilots'])
    const bob = await makeUser(world, 'bob@acme.example', ['Release Pilots'])
    const absences = [
      { userId: ann, from: '2027-03-01', to: '2027-03-31' },
      { userId: bob, from: '2027-03-10', to: '2027-03-10' },
    ]
    await admin.put(at('scheduleCadence'), {
      ...weekly('2027-06-01T00:00:00.000Z'),
      timezone: 'Asia/Tokyo',
      absences,
    })
    const pilots: string[] = []
    // For the last train it is still the day before in UTC, when everybody is away.
    for (const [version, targetKickoffAt] of [
      ['1.0.0', '2027-03-05T09:00:00Z'],
      ['1.1.0', '2027-03-05T09:00:00Z'],
      ['1.2.0', '2027-04-05T09:00:00Z'],
      ['1.3.0', '2027-03-09T20:00:00Z'],
    ]) {
      const { body } = await admin.post(at('release'), { version, targetKickoffAt })
      pilots.push(body.releasePilotId)
    }
    assert.deepEqual(pilots, [bob, bob, ann, bob])
  })

  test('goes on after a pilot left who was named in an exception or an absence', async ({
    assert,
  }) => {
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
    // Clients may send back what they read, including people who left; other former members may not
    // be named.
    const read = await admin.get(at('scheduleCadence'))
    const same = await admin.put(at('scheduleCadence'), { ...read.body, paused: true })
    assert.deepEqual([same.status, same.body], [200, { ...read.body, paused: true }], same.text)
    await admin.put(at('scheduleCadence'), { paused: false })
    const other = await admin.put(at('scheduleCadence'), {
      exceptions: [{ date: next, releasePilotId: 'usr_gone' }],
    })
    assert.equal(other.status, 422)
    await workAll(stage)
    assert.isAbove((await releasesOf(app)).length, 1)
    assert.deepEqual(await emails(), ['ann@acme.example', 'ann@acme.example'])
  })

  test('is tried again a day after the last attempt to draft has failed', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now(), 9))
    await db.from('jobs').where('kind', 'planning.draft').update({ attempts: 99 })
    assert.equal(await stage.worker.turn(), 1)
    assert.deepEqual(await releasesOf(app), [])
    assert.deepEqual(await planned(stage), [['planning.draft', later(stage.clock.now(), DAY)]])
    const { body } = await admin.get(at('timelineEvents'))
    assert.include(JSON.stringify(body), 'app.draftingFailed')
    await pass(stage, DAY)
    assert.isNotEmpty(await releasesOf(app))
  })

  test('of an idle app costs the workers nothing until it is due', async ({ assert }) => {
    const stage = await Stage.set(...planning.work!)
    const { admin, at } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now(), 40))
    assert.lengthOf(await stage.jobs(), 1)
    assert.equal(await stage.pass(HOUR), 0)
  })

  test('leaves nothing in the job queue when its app is deleted', async ({ assert }) => {
    const stage = await setStage()
    const { admin, at, app } = await makePlanned()
    await admin.put(at('scheduleCadence'), weekly(stage.clock.now()))
    await workAll(stage)
    await admin.delete(`/app/${app}/config?force=true`)
    assert.deepEqual(await planned(stage), [])
  })
})
