import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { HOUR } from '#foundation/core/durations'
import { passMinutes, tidy } from '#stores/tests/support'
import { CRASHES, guarded, LADDER } from './guarded.js'
import { asked, began } from './support.js'

const USERS = { name: 'crashFreeUsers', source: 'crashMonitoring', measure: 'crashFreeUsers' }
const HEALTHY = { sessions: 40_000, crashed: 80 }

/** Returns a rollout whose guard asks a monitor that is 30 hours late. */
async function late(type: 'apple' | 'google' = 'google', more: object = {}) {
  const given = await guarded(type)
  const { admin, appId, monitor, path, turns } = given
  monitor.lag = 30 * HOUR
  monitor.versions.set('1.4.0', HEALTHY)
  // The first measurements were without delay.
  await db.from('rollouts').where('app_id', appId).update({ samples: '[]', judgements: '[]' })
  await admin.put(`/app/${appId}/rolloutPolicy`, {
    policy: { ladder: LADDER, guard: { metrics: [USERS] }, ...more },
  })
  await began(appId, 1)
  await turns(3)
  return {
    ...given,
    /** Lets time pass, with measurements and checks. */
    async pass(hours: number) {
      for (let passed = 0; passed < hours; passed += 2) {
        passMinutes(100)
        await turns(2)
      }
    },
    /** Lets the rung have been reached some hours ago, and measures and checks it. */
    async stand(hours: number) {
      await began(appId, hours)
      passMinutes(60)
      await turns(3)
    },
    held: async (): Promise<string[]> =>
      (await admin.get(`${path}/timelineEvents?type=rollout.held`)).body.data.map(
        ({ data }: { data: { reason: string } }) => data.reason
      ),
    warnings: async () => (await admin.get(`${path}/whyNotMoving`)).body.warnings,
    shown: async () => (await admin.get(`${path}/rollout`)).body.stores[0],
  }
}

test.group('A guard whose source is late', (group) => {
  group.each.teardown(tidy)

  test('says how late it is, and meanwhile makes no move and calls nobody', async ({ assert }) => {
    const given = await late()
    await given.pass(26)
    assert.isEmpty(asked(given))
    assert.isEmpty(await given.held())
    const { health, next } = await given.shown()
    const says = /^sentry reports on users until \d{4}-\d\d-\d\d \d\d:\d\d UTC, 3\d hours ago/
    assert.match(health[0].late.message, says)
    assert.equal(health[0].verdict, 'notEnoughData')
    assert.isTrue(Date.parse(health[0].late.until) < Date.now() - 29 * HOUR)
    const hold = next.find(({ what }: { what: string }) => what === 'rolloutHeld')
    assert.match(hold.message, /is held: the data about it has not arrived yet\. sentry reports on/)
    const warning = (await given.warnings()).find(
      ({ code }: { code: string }) => code === 'data_late'
    )
    assert.match(warning.message, says)
    assert.match(
      warning.message,
      /the stage of 10 % is judged once it reports on enough of its users/
    )
    assert.equal(warning.who[0].type, 'service')
  })

  test('counts the hours of a rung that the data covers, and grows after them', async ({
    assert,
  }) => {
    const given = await late()
    await given.pass(44)
    const [found] = (await given.shown()).health
    assert.equal(found.verdict, 'healthy')
    assert.isEmpty(asked(given))
    assert.equal((await given.shown()).next[0].what, 'rolloutStage')
    await given.pass(14)
    assert.deepEqual(asked(given), ['setRollout 0.5'])
    assert.isEmpty(await given.held())
  })

  test('stops a harmful version as soon as its data arrives', async ({ assert }) => {
    const given = await late()
    given.crash()
    await given.stand(26)
    assert.isEmpty(asked(given))
    given.monitor.lag = 10 * HOUR
    await given.stand(26)
    assert.deepEqual(asked(given), ['setRollout halt'])
  })

  test('is silent if its data covers the rung and has no users', async ({ assert }) => {
    const given = await late()
    given.monitor.versions.set('1.4.0', { sessions: 0, crashed: 0 })
    await given.stand(28)
    assert.notInclude((await given.shown()).next[0].message, 'no data arrives')
    await given.stand(60)
    assert.include((await given.shown()).next[0].message, 'no data arrives')
    assert.isEmpty(asked(given))
  })

  test('does not pause a phased release for silence before its data covers it', async ({
    assert,
  }) => {
    const given = await late('apple')
    given.monitor.versions.set('1.4.0', { sessions: 0, crashed: 0 })
    await given.stand(12)
    assert.isEmpty(asked(given))
    await given.stand(60)
    assert.deepEqual(asked(given), ['setRollout pause'])
  })

  test('never lets a version grow without data, even with whenUnsure: grow', async ({ assert }) => {
    const guard = { metrics: [USERS], whenUnsure: 'grow' }
    const given = await late('google', { guard })
    await given.stand(29)
    assert.isEmpty(asked(given))
  })

  test('is asked again about an earlier rung until the data covers it', async ({ assert }) => {
    const given = await late()
    const { appId, monitor, turns } = given
    await given.stand(60)
    await turns(2)
    const stages = async () => {
      const { stages: reported } = await db.from('rollouts').where('app_id', appId).first()
      return typeof reported === 'string' ? JSON.parse(reported) : reported
    }
    const [first, second] = await stages()
    assert.equal(second.percentage, 50)
    const isOfFirst = ({ version, from }: { version: string; from: string }) =>
      version === '1.4.0' && from >= first.at && from < second.at
    const again = async () => {
      monitor.asked.length = 0
      passMinutes(40)
      await turns(1)
      return monitor.asked.filter(isOfFirst)
    }
    assert.isNotEmpty(await again())
    monitor.lag = 0
    const covered = await again()
    assert.equal(
      covered
        .map(({ to }) => to)
        .sort()
        .at(-1),
      second.at
    )
    assert.isEmpty(await again())
  })

  for (const [what, sampledAt] of [
    ['no time', () => 'soon'],
    ['a time in the future', () => '2099-01-01T00:00:00.000Z'],
  ] as const) {
    test(`is not late if it reports ${what}`, async ({ assert }) => {
      const given = await late()
      given.monitor.lag = 0
      given.monitor.sampledAt = sampledAt
      await given.stand(26)
      assert.deepEqual(asked(given), ['setRollout 0.5'])
      assert.isNull((await given.shown()).health[0].late)
    })
  }
})

test.group('A guard of Android vitals', (group) => {
  group.each.teardown(tidy)

  test('takes users without crashes, and refuses what needs sessions', async ({ assert }) => {
    const { admin, appId } = await guarded()
    const ask = (measure: string) =>
      admin.put(`/app/${appId}/rolloutPolicy`, {
        policy: { ladder: LADDER, guard: { metrics: [USERS, { ...CRASHES, measure }] } },
      })
    assert.equal((await ask('crashFreeSessions')).status, 200)
    await db
      .from('integrations')
      .where({ app_id: appId, kind: 'crashMonitoring' })
      .update({ type: 'google-vitals' })
    for (const measure of ['crashFreeSessions', 'crashes']) {
      const { status, body } = await ask(measure)
      assert.equal(status, 422)
      assert.deepEqual(body.errors, [
        {
          pointer: '/policy/guard/metrics/1/measure',
          code: 'never_finishes',
          message: `Android vitals counts users and no sessions, so ${measure} would never be counted: name crashFreeUsers.`,
        },
      ])
    }
    const { status, text } = await ask('crashFreeUsers')
    assert.equal(status, 200, text)
  })
})
