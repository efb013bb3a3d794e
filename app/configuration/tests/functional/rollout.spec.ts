import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { makeUser } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'
import { makeApp, sendYaml } from './yaml.js'

const ROLLOUT = `  rollout:
    ladder:
      - percentage: 5.5
        hours: 24
      - percentage: 100
        hours: 0
    healthyHours: 6
    timezone: Europe/Berlin
    officeHours:
      from: 09:00
      to: 17:00
    weekdays:
      - 1
      - 4
    quietDays:
      - 2026-12-24
    finishWithinDays: 10
    call:
      - ada@acme.example
    guard:
      metrics:
        - name: crashFreeSessions
          source: crashMonitoring
          measure: crashFreeSessions
      errorBound: 0.01
      harmBudget: 0.25
      whenUnsure: grow
    hotfix: atOnce
    stops: release
`
const SETTINGS = `appStoreReleaseSettings:\n  phasedReleaseEnabled: true\n${ROLLOUT}`
const SHORT = 'rollout: {ladder: [{percentage: 100, hours: 0}]}'

const change = (world: World, appId: string, text: string, query = '') =>
  sendYaml(world.admin, 'PATCH', `/app/${appId}/app/config${query}`, text)
const policy = async (world: World, appId: string, destinationId?: string) => {
  const query = destinationId === undefined ? '' : `?destinationId=${destinationId}`
  return (await world.admin.get(`/app/${appId}/rolloutPolicy${query}`)).body.policy
}
const exported = async (world: World, appId: string): Promise<string> =>
  (await world.admin.get(`/app/${appId}/app/config`)).text

test.group('rollout of appStoreReleaseSettings', () => {
  test('201 sets the policy of the app, which is exported as it was given', async ({ assert }) => {
    const world = await makeWorld()
    await makeUser(world, 'ada@acme.example')
    const app = await makeApp(world, SETTINGS, 'android')
    assert.containsSubset(await policy(world, app.id), {
      ladder: [
        { percentage: 5.5, hours: 24 },
        { percentage: 100, hours: 0 },
      ],
      finishWithinDays: 10,
      stops: 'release',
      guard: { metrics: [{ source: 'crashMonitoring', measure: 'crashFreeSessions' }] },
    })
    const text = await exported(world, app.id)
    assert.include(text, ROLLOUT)
    const again = await sendYaml(world.admin, 'POST', '/app/config', text)
    assert.equal(await exported(world, again.body.id), text)
    assert.deepEqual((await change(world, app.id, text, '?dryRun=true')).body, [])
  })

  test('200 a dry run names it and writes nothing; null clears it, absence leaves it alone', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await makeUser(world, 'ada@acme.example')
    const app = await makeApp(world, SETTINGS, 'android')
    const before = await policy(world, app.id)
    const text = `appStoreReleaseSettings: {${SHORT}}`
    const planned = await change(world, app.id, text, '?dryRun=true')
    assert.equal(planned.status, 200)
    const at = planned.body.find(
      ({ path }: { path: string }) => path === 'appStoreReleaseSettings.rollout.ladder'
    )
    assert.containsSubset(at, { op: 'change', to: [{ percentage: 100, hours: 0 }] })
    assert.match(at.effect, /How rollouts grow when nobody intervenes/)
    assert.deepEqual(await policy(world, app.id), before)
    await change(world, app.id, 'appStoreReleaseSettings: {phasedReleaseEnabled: false}')
    assert.deepEqual(await policy(world, app.id), before)
    await change(world, app.id, text)
    assert.containsSubset(await policy(world, app.id), { finishWithinDays: null, guard: null })
    const cleared = 'appStoreReleaseSettings: {rollout: null}'
    const plan = (await change(world, app.id, cleared, '?dryRun=true')).body
    assert.containsSubset(plan, [{ op: 'remove', path: 'appStoreReleaseSettings.rollout' }])
    assert.match(plan[0].effect, /People steer rollouts/)
    await change(world, app.id, cleared)
    assert.isNull(await policy(world, app.id))
    assert.notInclude(await exported(world, app.id), 'rollout:')
  })

  test('200 a policy set by a request is in the file', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world, '', 'android')
    const ladder = [{ percentage: 100, hours: 1 }]
    await world.admin.put(`/app/${app.id}/rolloutPolicy`, { policy: { ladder } })
    assert.match(await exported(world, app.id), /rollout:\n {4}ladder:\n {6}- percentage: 100/)
  })

  test('further destinations have their own, in their file and in that of the app', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await makeUser(world, 'ada@acme.example')
    const app = await makeApp(world, SETTINGS, 'android')
    const file = `name: Second\nappStoreReleaseSettings: {${SHORT}}`
    const added = await sendYaml(world.admin, 'POST', `/app/${app.id}/destination/config`, file)
    const [first, second] = added.body.destinations
    assert.lengthOf((await policy(world, app.id, second.id)).ladder, 1)
    // The first destination can also be addressed by its id.
    assert.deepEqual(await policy(world, app.id, first.id), await policy(world, app.id))
    const text = await exported(world, app.id)
    const copy = await sendYaml(world.admin, 'POST', '/app/config', text)
    assert.equal(await exported(world, copy.body.id), text)
    assert.lengthOf((await policy(world, copy.body.id, copy.body.destinations[1].id)).ladder, 1)
    await change(world, app.id, 'x-destinations: {Second: }')
    assert.isNull(await policy(world, app.id, second.id))
    assert.isNotNull(await policy(world, app.id))
  })

  test('422 lists errors with their places, and nothing is written', async ({ assert }) => {
    const world = await makeWorld()
    const at = 'appStoreReleaseSettings.rollout'
    const ladder = 'ladder: [{percentage: 5, hours: 1}, {percentage: 100, hours: 0}]'
    for (const [text, expected] of [
      ['{}', [`${at}.ladder required`]],
      ['{ladder: []}', [`${at}.ladder required`]],
      ['{ladder: [{percentage: 0, hours: 1}]}', [`${at}.ladder[0].percentage out_of_range`]],
      ['{ladder: [{percentage: 50, hours: 1}]}', [`${at}.ladder never_finishes`]],
      [
        '{ladder: [{percentage: 100, hours: 1}, {percentage: 5, hours: 1}]}',
        [`${at}.ladder wrong_order`],
      ],
      [`{${ladder}, healthyHour: 2}`, [`${at}.healthyHour unknown_key`]],
      [`{${ladder}, weekdays: [8, 1]}`, [`${at}.weekdays[0] out_of_range`]],
      [`{${ladder}, quietDays: [2026-02-30]}`, [`${at}.quietDays[0] invalid_date`]],
      [`{${ladder}, call: [nobody@acme.example]}`, [`${at}.call[0] member_unknown`]],
      [
        `{${ladder}, guard: {whenUnsure: grow, metrics: [{name: a, source: appReviews}]}}`,
        [`${at}.guard never_finishes`],
      ],
      [`{${ladder}, timezone: Mars}`, [`${at}.timezone invalid_timezone`]],
      [
        `{${ladder}, officeHours: {from: "17:00", to: "09:00"}}`,
        [`${at}.officeHours.to never_finishes`],
      ],
      [
        `{${ladder}, guard: {metrics: [{name: a, total: b, bad: c}]}}`,
        [`${at}.guard never_finishes`],
      ],
      [
        `{${ladder}, guard: {whenUnsure: grow, metrics: [{name: a, total: b}, {name: b, source: crashMonitoring, bad: c}]}}`,
        [
          `${at}.guard.metrics[0].bad required`,
          `${at}.guard.metrics[1].bad not_allowed`,
          `${at}.guard.metrics[1].measure required`,
        ],
      ],
    ] as const) {
      const { status, body } = await sendYaml(
        world.admin,
        'POST',
        '/app/config',
        `name: A\nplatform: android\nappStoreReleaseSettings: {rollout: ${text}}`
      )
      const wrong = body.errors?.map(
        ({ path, code }: { path: string; code: string }) => `${path} ${code}`
      )
      assert.equal(status, 422, text)
      assert.sameMembers(wrong, [...expected], text)
    }
    const ota = `name: A\nplatform: flutter-ota\nappStoreReleaseSettings: {${SHORT}}`
    const { body } = await sendYaml(world.admin, 'POST', '/app/config', ota)
    assert.deepEqual([body.errors[0].path, body.errors[0].code], [at, 'not_allowed'])
    const rows = await db.from('rollout_policies').where('organization_id', world.organizationId)
    assert.isEmpty(rows)
  })

  test('201 a manual or scheduled release at Google Play warns of what Google does not do', async ({
    assert,
  }) => {
    const { admin } = await makeWorld()
    const file = (name: string, platform: string, method = 'manual') =>
      `name: ${name}\nplatform: ${platform}\nappStoreReleaseSettings: {releaseMethod: ${method}}\n`
    const play = await sendYaml(admin, 'POST', '/app/config', file('Play', 'android'))
    assert.equal(play.status, 201)
    assert.containsSubset(play.body.warnings, [
      { path: 'appStoreReleaseSettings.releaseMethod', code: 'managed_publishing', line: 3 },
    ])
    const timed = await sendYaml(
      admin,
      'POST',
      '/app/config',
      file('Timed', 'android', 'scheduled')
    )
    assert.match(timed.body.warnings[0].message, /publishes at no set time/)
    const store = await sendYaml(admin, 'POST', '/app/config', file('Store', 'ios'))
    assert.deepEqual([store.status, store.body.warnings], [201, undefined])
  })

  const OLD = SETTINGS.replace(
    '      harmBudget: 0.25\n',
    '      minimumSample: 1000\n      tolerance: 0.25\n'
  )
  const GUARD = 'appStoreReleaseSettings.rollout.guard'

  /** Returns the settings the response warns about, by their places in the file. */
  const warned = ({ body }: { body: any }) =>
    body.warnings?.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)

  test('201 and 200 former settings are read with a warning, and exported as they apply now', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await makeUser(world, 'ada@acme.example')
    const named = (name: string) => `name: ${name}\nplatform: android\n`
    const both = [`${GUARD}.minimumSample old_setting`, `${GUARD}.tolerance old_setting`]
    const made = await sendYaml(world.admin, 'POST', '/app/config', named('Old') + OLD)
    assert.equal(made.status, 201)
    assert.deepEqual(warned(made), both)
    assert.include(made.body.warnings[1].message, 'tolerance was renamed to harmBudget')
    const lines = (named('Old') + OLD).split('\n')
    assert.match(lines[made.body.warnings[1].line - 1], /^ +tolerance: 0\.25$/)
    const { id } = made.body
    assert.include(await exported(world, id), ROLLOUT)
    // The warning also appears when the file changes nothing.
    const same = await change(world, id, OLD)
    assert.equal(same.status, 200)
    assert.deepEqual(warned(same), both)
    assert.isUndefined(warned(await change(world, id, SETTINGS)))
  })

  test('200 a dry run shows the effect of former settings', async ({ assert }) => {
    const world = await makeWorld()
    await makeUser(world, 'ada@acme.example')
    const app = await makeApp(world, OLD, 'android')
    const dryRun = async (text: string) => (await change(world, app.id, text, '?dryRun=true')).body
    assert.deepEqual(await dryRun(OLD), [])
    const [planned, ...others] = await dryRun(OLD.replace('tolerance: 0.25', 'tolerance: 0.5'))
    assert.deepEqual([planned.path, others], [`${GUARD}.harmBudget`, []])
    assert.match(
      planned.effect,
      /minimumSample is no longer needed.* tolerance was renamed to harmBudget/
    )
    const [harm] = await dryRun(SETTINGS.replace('harmBudget: 0.25', 'harmBudget: 1'))
    assert.notInclude(harm.effect, 'tolerance')
    const text = `name: New\nplatform: android\n${OLD}`
    const creation = await sendYaml(world.admin, 'POST', '/app/config?dryRun=true', text)
    const reported = creation.body.filter(({ effect }: any) => effect.includes('tolerance was'))
    assert.lengthOf(reported, 1)
  })

  test('201 and 200 warn of a ladder on the App Store, also of further destinations', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const ladder = `appStoreReleaseSettings: {${SHORT}}`
    const text = `name: Acme\nplatform: ios\n${ladder}`
    const made = await sendYaml(world.admin, 'POST', '/app/config', text)
    const place = 'appStoreReleaseSettings.rollout.ladder no_meaning'
    assert.deepEqual(warned(made), [place])
    const { id } = made.body
    const added = await sendYaml(
      world.admin,
      'POST',
      `/app/${id}/destination/config`,
      `name: Business\n${ladder}`
    )
    assert.equal(added.status, 201)
    assert.deepEqual(warned(added), [place])
    const further = `x-destinations:\n  Business: {${ladder}}`
    assert.deepEqual(warned(await change(world, id, further)), [`x-destinations.Business.${place}`])
  })
})
