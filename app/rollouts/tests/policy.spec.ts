import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeUser } from '#tests/support/app_fixture'
import { connect } from '#integrations/tests/support/connect'
import { findIntegration } from '#integrations/queries/app_integrations'
import { replaceIntegrations } from '#integrations/store_integrations'
import { refusal } from '#stores/tests/memory_store'
import { passMinutes, tidy, type StoreWorld } from '#stores/tests/support'
import { HOUR } from '#foundation/core/durations'
import { asked, calledYesterday, quietFor, rollingOut } from './support.js'

const LADDER = [
  { percentage: 10, hours: 24 },
  { percentage: 50, hours: 24 },
  { percentage: 100, hours: 0 },
]
const GUARD = { metrics: [{ name: 'crashFreeSessions', total: 'sessions', bad: 'crashes' }] }
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()

/** Sets the begin of a rollout, and the time at which it reached its share, to some hours ago. */
const since = (hours: number) =>
  db
    .from('rollouts')
    .whereNull('ended_at')
    .update({
      started_at: ago(hours),
      stages: JSON.stringify([{ percentage: 10, at: ago(hours) }]),
    })

/**
 * Connects product analytics to the app. Returns functions that send numbers of a version, and that
 * add version 1.3.0, which was rolled out some days ago.
 */
async function observed(given: StoreWorld) {
  const { world, appId, admin, provider } = given
  const { id: analytics } = await connect(world, 'generic-analytics')
  await world.write(async (scope) => {
    const [store] = await scope.table('integrations').where({ app_id: appId, key: 'store' })
    await replaceIntegrations(scope, appId, [
      { key: 'store', type: store.type, kind: 'appStore', provider, data: {} },
      {
        key: 'numbers',
        type: 'generic-analytics',
        kind: 'productAnalytics',
        provider: analytics,
        data: {},
      },
    ])
  })
  const id = await world.write(
    async (scope) => (await findIntegration(scope, appId, 'productAnalytics', 'numbers'))!.id
  )
  const send = async (version: string, hours: number, sessions: number, crashes: number) => {
    const event = { version, timestamp: ago(hours) }
    const { body } = await admin.post(`/app/${appId}/integration/${id}/events`, [
      { ...event, name: 'sessions', value: sessions },
      { ...event, name: 'crashes', value: crashes },
    ])
    return body.accepted
  }
  /** Adds version 1.3.0, rolled out earlier in the same store. */
  const before = async () => {
    await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
    const previous = { app_id: appId, version: '1.3.0' }
    await db
      .from('releases')
      .where(previous)
      .update({ released_at: ago(120) })
    const release = await db.from('releases').where(previous).first()
    const row = await db.from('rollouts').where('app_id', appId).first()
    const stages = [
      { percentage: 10, at: ago(120) },
      { percentage: 100, at: ago(96) },
    ]
    await db.table('rollouts').insert({
      ...row,
      id: `${row.id}x`,
      release_id: release.id,
      started_at: ago(120),
      ended_at: ago(96),
      stages: JSON.stringify(stages),
      look_at: null,
    })
    for (let hour = 119; hour > 97; hour--) await send('1.3.0', hour, 20_000, 40)
  }
  return { send, before }
}

test.group('PUT /app/{appId}/rolloutPolicy', (group) => {
  group.each.teardown(tidy)

  test('200 climbs the ladder rung by rung, and dates each next move', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, path, work, run } = given
    const { status, body } = await admin.put(`/app/${appId}/rolloutPolicy`, {
      policy: { ladder: LADDER },
    })
    assert.deepEqual([status, body.policy.timezone], [200, 'UTC'])
    assert.deepEqual((await admin.get(`/app/${appId}/rolloutPolicy`)).body, body)
    await work()
    assert.isEmpty(asked(given))
    const { body: why } = await admin.get(`${path}/whyNotMoving`)
    const next = why.next.find(({ what }: { what: string }) => what === 'rolloutStage')
    assert.include(next.message, '50 %')
    assert.isAbove(Date.parse(next.at), Date.now() + 23 * HOUR)
    await since(25)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout 0.5'])
    assert.equal((await run('rollout')).data.phased.percentage, 50)
  })

  test('never grows while it is halted, or while automations are paused', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, path, work } = given
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
    await work()
    await admin.put(`${path}/redButton`)
    await work()
    await since(200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    await admin.put(`${path}/rollout`, { action: 'resume' })
    await work()
    await since(200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout resume'])
    assert.include(
      JSON.stringify((await admin.get(`${path}/whyNotMoving`)).body.next),
      'automations are paused'
    )
  })

  for (const type of ['google', 'apple'] as const) {
    test(`stops a version that crashes more at ${type}, with an issue and the numbers`, async ({
      assert,
    }) => {
      const given = await rollingOut(type)
      const { admin, appId, path, work, step } = given
      const { send, before } = await observed(given)
      const response = await admin.put(`/app/${appId}/rolloutPolicy`, {
        policy: { ladder: LADDER, guard: GUARD },
      })
      assert.equal(response.status, 200)
      await since(30)
      await before()
      for (let hour = 4; hour > 0; hour--) await send('1.4.0', hour, 20_000, 140)
      for (let turn = 0; turn < 4; turn++) await work()
      assert.deepEqual(asked(given), [`setRollout ${type === 'apple' ? 'pause' : 'halt'}`])
      assert.equal((await step('rollout')).status, 'blocked')
      const { body: issues } = await admin.get(`/app/${appId}/triageIssue`)
      assert.lengthOf(issues.data, 1)
      assert.match(issues.data[0].description, /unhealthy, 99\.30 % of 80,000 \(before: 99\.80 %/)
      const { body } = await admin.get(`${path}/timelineEvents?type=rollout.judged`)
      assert.equal(body.data[0].data.verdict, 'unhealthy')
    })
  }

  test('does not count the time of a halt towards the hours of a rung', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, path, work } = given
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
    await work()
    await since(4)
    await admin.put(`${path}/rollout`, { action: 'halt' })
    for (let turn = 0; turn < 2; turn++) await work()
    passMinutes(30 * 60)
    await admin.put(`${path}/rollout`, { action: 'resume' })
    for (let turn = 0; turn < 4; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout resume'])
    const { body: why } = await admin.get(`${path}/whyNotMoving`)
    const next = why.next.find(({ what }: { what: string }) => what === 'rolloutStage')
    assert.closeTo((Date.parse(next.at) - Date.now()) / HOUR, 24 - 4 - 1, 1)
  })

  test('stops an unhealthy version while a call that lets it grow is under way', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, appId, path, store, work, run } = given
    const { send, before } = await observed(given)
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER, guard: GUARD } })
    await since(30)
    await before()
    for (let hour = 4; hour > 0; hour--) await send('1.4.0', hour, 20_000, 140)
    // The store is down until the growth is no longer the only request.
    for (let each = 0; each < 3; each++) store.failures.push(refusal('unavailable', 'Down'))
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
    for (let turn = 0; turn < 6; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    assert.containsSubset((await run('rollout')).data.phased, { status: 'halted', percentage: 10 })
  })

  test('opens an issue for a rollout that was paused in silence and is then found unhealthy', async ({
    assert,
  }) => {
    const given = await rollingOut('apple')
    const { admin, appId, path, work } = given
    const { send, before } = await observed(given)
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER, guard: GUARD } })
    await since(30)
    await work()
    await quietFor(appId, 6)
    for (let turn = 0; turn < 2; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout pause'])
    await quietFor(appId, 6)
    await admin.put(`/app/${appId}/rolloutPolicy`, {
      policy: { ladder: LADDER, guard: GUARD, timezone: 'Europe/Berlin' },
    })
    await work()
    const next = JSON.stringify((await admin.get(`${path}/whyNotMoving`)).body.next)
    assert.include(next, 'no data arrives')
    assert.include(next, '30 more days of pause out of 30')
    await before()
    for (let hour = 4; hour > 0; hour--) await send('1.4.0', hour, 20_000, 140)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout pause'])
    assert.lengthOf((await admin.get(`/app/${appId}/triageIssue`)).body.data, 1)
  })

  test('holds a rollout without enough data or in silence, and calls people once a day', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, appId, path, work, world } = given
    await makeUser(world, 'ada@acme.example')
    const { send, before } = await observed(given)
    const set = (timezone: string) =>
      admin.put(`/app/${appId}/rolloutPolicy`, {
        policy: { ladder: LADDER, guard: GUARD, call: ['ada@acme.example'], timezone },
      })
    assert.equal((await set('UTC')).status, 200)
    await work()
    await since(30)
    await before()
    await send('1.4.0', 1, 100, 0)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.isEmpty(asked(given))
    const held = async () =>
      (await admin.get(`${path}/timelineEvents?type=rollout.held`)).body.data.map(
        ({ data }: { data: { reason: string } }) => data.reason
      )
    // At first there was no baseline of a previous version.
    assert.sameMembers(await held(), ['noBaseline', 'notEnoughData'])
    /** Checks the rollout now. A changed policy makes it due. */
    const check = async (zone: string) => {
      await set(zone)
      for (let turn = 0; turn < 2; turn++) await work()
    }
    await quietFor(appId, 6)
    await check('Etc/UTC')
    const once = ['noBaseline', 'notEnoughData', 'silent']
    assert.sameMembers(await held(), once)
    await check('UTC')
    assert.lengthOf(await held(), 3)
    await calledYesterday(appId)
    await quietFor(appId, 6)
    await check('Etc/UTC')
    assert.sameMembers(await held(), [...once, 'silent'])
    assert.isEmpty(asked(given))
  })

  test('calls people at once without a previous version, or grows if the policy says so', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, appId, path, work } = given
    const { send } = await observed(given)
    await send('1.4.0', 1, 20_000, 0)
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER, guard: GUARD } })
    for (let turn = 0; turn < 2; turn++) await work()
    const { body } = await admin.get(`${path}/timelineEvents?type=rollout.held`)
    assert.equal(body.data[0].data.reason, 'noBaseline')
    await since(30)
    const guard = { ...GUARD, whenUnsure: 'grow' }
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER, guard } })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })

  test('200 reads settings of earlier policies, shows their present form, and warns of them', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, appId } = given
    await observed(given)
    const guard = { ...GUARD, tolerance: 0.1, minimumSample: 500 }
    const policy = { ladder: LADDER, guard }
    const { status, body } = await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    assert.equal(status, 200)
    assert.deepEqual(
      body.warnings.map(({ code }: { code: string }) => code),
      ['old_setting', 'old_setting']
    )
    const { policy: shown, warnings } = (await admin.get(`/app/${appId}/rolloutPolicy`)).body
    assert.isUndefined(warnings)
    assert.containsSubset(shown, {
      guard: { harmBudget: 0.1, whenUnsure: 'hold' },
      hotfix: 'atOnce',
    })
    assert.notProperty(shown.guard, 'tolerance')
    // The stored form of an earlier version of the service:
    const { metrics, errorBound } = shown.guard
    const old = { ...shown, guard: { metrics, errorBound, tolerance: 0.1, minimumSample: 500 } }
    delete old.hotfix
    await db
      .from('rollout_policies')
      .where('app_id', appId)
      .update({ policy: JSON.stringify(old) })
    assert.deepEqual((await admin.get(`/app/${appId}/rolloutPolicy`)).body.policy, shown)
  })

  test('200 an app of the App Store needs no ladder, and a ladder gets a warning', async ({
    assert,
  }) => {
    const { admin, appId } = await rollingOut('apple')
    const put = (policy: object) => admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    const { status, body } = await put({ quietDays: ['2026-12-24'] })
    assert.deepEqual([status, body.policy.ladder, body.warnings], [200, [], undefined])
    const { body: reported } = await put({ ladder: LADDER })
    assert.equal(reported.warnings[0].code, 'no_meaning')
    const google = await rollingOut('google')
    const refused = await google.admin.put(`/app/${google.appId}/rolloutPolicy`, { policy: {} })
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/policy/ladder'])
  })

  test('422 for a harm budget for which the app has too few users, with the smallest that works', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, appId, work, world } = given
    await observed(given)
    const put = (harmBudget: number) =>
      admin.put(`/app/${appId}/rolloutPolicy`, {
        policy: { ladder: LADDER, guard: { ...GUARD, harmBudget } },
      })
    // While the traffic of the app is unknown, the budget is not checked.
    assert.equal((await put(0.1)).status, 200)
    await work()
    const days = Array.from({ length: 7 }, () => ({ of: 1000, bad: 5 }))
    await world.write(async (scope) => {
      const row = await scope.table('rollouts').where('app_id', appId).first()
      const meaning = JSON.stringify(['events', 'sessions', 'crashes'])
      const sample = { metric: 'x', meaning, stageAt: ago(300), current: days[0], days }
      const samples = [{ ...sample, baseline: null, at: ago(300) }]
      await scope
        .table('rollouts')
        .where('id', row.id)
        .update({ samples: JSON.stringify(samples) })
    })
    const { status, body } = await put(0.2)
    assert.deepEqual([status, body.errors[0].pointer], [422, '/policy/guard/harmBudget'])
    assert.equal(body.errors[0].code, 'never_finishes')
    const smallest = Number(
      /smallest budget that works is ([\d.]+)\./.exec(body.errors[0].message)![1]
    )
    assert.equal((await put(smallest)).status, 200)
    assert.equal((await put(Math.round(smallest * 100 - 1) / 100)).status, 422)
  })

  test('422 for a policy that can never finish or is invalid, with the place of the fault', async ({
    assert,
  }) => {
    const { admin, appId } = await rollingOut()
    for (const [change, pointer, code] of [
      [{ ladder: LADDER.slice(0, 2) }, '/policy/ladder', 'never_finishes'],
      [{ ladder: LADDER.toReversed() }, '/policy/ladder', 'order'],
      [{ officeHours: { from: '17:00', to: '09:00' } }, '/policy/officeHours/to', 'never_finishes'],
      [{ guard: GUARD }, '/policy/guard', 'never_finishes'],
      [
        { guard: { metrics: [{ name: 'rating', source: 'appReviews' }], whenUnsure: 'grow' } },
        '/policy/guard',
        'never_finishes',
      ],
      [{ call: ['nobody@acme.example'] }, '/policy/call/0', 'unknown_user'],
      [{ hotfix: 'never' }, '/policy/hotfix', 'enum'],
      [{ timezone: 'Mars' }, '/policy/timezone', 'timezone'],
      [{ quietDays: ['2026-02-30'] }, '/policy/quietDays/0', 'date'],
      [{ ladder: [{ percentage: 101, hours: 1 }] }, '/policy/ladder/0/percentage', 'max'],
    ] as const) {
      const body = { policy: { ladder: LADDER, ...(change as object) } }
      const { status, body: problem } = await admin.put(`/app/${appId}/rolloutPolicy`, body)
      assert.deepEqual(
        [status, problem.errors[0].pointer, problem.errors[0].code],
        [422, pointer, code]
      )
    }
    assert.isNull((await admin.get(`/app/${appId}/rolloutPolicy`)).body.policy)
  })
})
