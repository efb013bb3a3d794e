import { test } from '@japa/runner'
import { makeWorld, type World } from '#tests/support/world'

const yaml = (world: World, method: string, path: string, raw: string) =>
  world.admin.send<any>(method, path, { raw, headers: { 'content-type': 'application/yaml' } })

const CADENCE = `x-scheduleCadence:
  enabled: true
  paused: false
  intervalWeeks: 2
  startDate: 2026-11-30
  timezone: Europe/Berlin
  targets:
    kickoff:
      dayOffset: 0
      time: 10:00
    release:
      dayOffset: 8
      time: 09:30
  skipFrozenDates: true
  draftWeeksAhead: 6
`

async function make(text: string) {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}/app/config`
  const { status, body } = await yaml(world, 'POST', path, `name: Acme\nplatform: ios\n${text}`)
  return { world, status, body, app: `/app/${body.id}` }
}

test.group('x-scheduleCadence of a configuration file', () => {
  test('201 sets the cadence, and is exported as it came', async ({ assert }) => {
    const { world, status, app } = await make(CADENCE)
    assert.equal(status, 201)
    const { body } = await world.admin.get(`${app}/scheduleCadence`)
    assert.containsSubset(body, {
      enabled: true,
      intervalWeeks: 2,
      timezone: 'Europe/Berlin',
      draftWeeksAhead: 6,
      targets: [{ kickoff: { dayOffset: 0, time: '10:00' }, submit: null }],
    })
    const { text } = await world.admin.get(`${app}/app/config`)
    assert.include(text.replaceAll('"', ''), CADENCE)
    const again = await yaml(world, 'PATCH', `${app}/app/config?dryRun=true`, text)
    assert.deepEqual(again.body, [])
  })

  test('201 sets single trains and people, 422 for errors in them', async ({ assert }) => {
    const single = `  exceptions:
    - date: 2026-12-14
      skipped: true
    - date: 2026-12-28
      movedTo: 2026-12-29
      releasePilot: ann@acme.example
  absences:
    - user: bob@acme.example
      from: 2026-12-21
      to: 2027-01-03
`
    const people = 'appUsers: [ann@acme.example, bob@acme.example]\n'
    const { world, app, body: made } = await make(people + CADENCE + single)
    const { body } = await world.admin.get(`${app}/scheduleCadence`)
    assert.containsSubset(body.exceptions, [
      { date: '2026-12-14', skipped: true, movedTo: null, releasePilotId: null },
      { date: '2026-12-28', skipped: false, movedTo: '2026-12-29' },
    ])
    assert.match(body.exceptions[1].releasePilotId, /^user_/)
    assert.containsSubset(body.absences, [{ from: '2026-12-21', to: '2027-01-03' }])
    const { text } = await world.admin.get(`${app}/app/config`)
    assert.include(text.replaceAll('"', ''), CADENCE + single)
    const path = `/org/${world.organizationId}/app/config`
    const again = await yaml(world, 'POST', path, text.replace(made.name, 'Again'))
    const second = await world.admin.get(`/app/${again.body.id}/app/config`)
    assert.equal(second.text.replace('Again', made.name), text)

    const wrong = single
      .replace('2026-12-14', '2026-12-15')
      .replace('2026-12-29', '2027-02-29')
      .replace('ann@', 'anne@')
      .replace('to: 2027-01-03', 'to: 2026-12-20')
    const refused = await yaml(world, 'PATCH', `${app}/app/config`, CADENCE + wrong)
    assert.equal(refused.status, 422)
    assert.sameMembers(
      refused.body.errors.map(({ path: at, code }: any) => `${at} ${code}`),
      [
        'x-scheduleCadence.exceptions[0].date conflict',
        'x-scheduleCadence.exceptions[1].movedTo invalid_date',
        'x-scheduleCadence.exceptions[1].releasePilot member_unknown',
        'x-scheduleCadence.absences[0].to wrong_order',
      ]
    )
  })

  test('200 a change replaces it, null takes it away', async ({ assert }) => {
    const { world, app } = await make(CADENCE)
    const exceptions = [{ date: '2026-12-14', skipped: true }]
    await world.admin.put(`${app}/scheduleCadence`, { exceptions })
    const { text: exported } = await world.admin.get(`${app}/app/config`)
    const changed = exported.replace('draftWeeksAhead: 6', 'draftWeeksAhead: 2')
    const plan = await yaml(world, 'PATCH', `${app}/app/config?dryRun=true`, changed)
    assert.deepEqual(
      plan.body.map(({ op, path }: { op: string; path: string }) => [op, path]),
      [['change', 'x-scheduleCadence.draftWeeksAhead']]
    )
    assert.equal((await yaml(world, 'PATCH', `${app}/app/config`, changed)).status, 200)
    const { body } = await world.admin.get(`${app}/scheduleCadence`)
    assert.containsSubset(body, { draftWeeksAhead: 2, exceptions })
    await yaml(world, 'PATCH', `${app}/app/config`, 'name: Other')
    assert.isTrue((await world.admin.get(`${app}/scheduleCadence`)).body.enabled)
    await yaml(world, 'PATCH', `${app}/app/config`, 'x-scheduleCadence: null')
    assert.isFalse((await world.admin.get(`${app}/scheduleCadence`)).body.enabled)
  })

  test('422 lists every fault with its place, and creates nothing', async ({ assert }) => {
    const { world, status, body } = await make(`x-scheduleCadence:
  intervalWeeks: 1000
  startDate: 2027-02-29
  timezone: Berlin
  targets:
    kickoff: {dayOffset: 3, time: 10:00}
    submit: {dayOffset: 2, time: 10:00}
    release: {dayOffset: 9, time: 25:00}
  every: week
`)
    assert.equal(status, 422)
    assert.sameDeepMembers(
      body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['x-scheduleCadence.intervalWeeks', 'wrong_type'],
        ['x-scheduleCadence.startDate', 'invalid_date'],
        ['x-scheduleCadence.timezone', 'invalid_timezone'],
        ['x-scheduleCadence.targets', 'wrong_order'],
        ['x-scheduleCadence.targets.release.time', 'invalid_time'],
        ['x-scheduleCadence.every', 'unknown_key'],
      ]
    )
    assert.deepEqual((await world.admin.get(`/org/${world.organizationId}/apps`)).body, [])
    const short = await make('x-scheduleCadence: {enabled: true}')
    assert.deepEqual(
      short.body.errors.map(({ path }: { path: string }) => path),
      ['x-scheduleCadence.startDate', 'x-scheduleCadence.targets']
    )
    const day =
      'x-scheduleCadence: {startDate: 2027-02-29, targets: {kickoff: {dayOffset: 0, time: 10:00}}}'
    assert.match((await make(day)).body.detail, /[^.]\.$/)
  })

  test('201 follows the cadence of another app, and is exported as it came; 422 for an unknown app', async ({
    assert,
  }) => {
    const { world, app } = await make(CADENCE)
    const leader = app.slice('/app/'.length)
    const section = `x-scheduleCadence:\n  followsAppId: ${leader}\n  enabled: true\n  paused: true\n`
    const send = (text: string) =>
      yaml(world, 'POST', `/org/${world.organizationId}/app/config`, text)
    const exported = async (id: string) => (await world.admin.get(`/app/${id}/app/config`)).text
    const made = await send(`name: Twin\nplatform: android\n${section}`)
    assert.equal(made.status, 201, made.text)
    const { body: shown } = await world.admin.get(`/app/${made.body.id}/scheduleCadence`)
    assert.containsSubset(shown, { followsAppId: leader, paused: true, intervalWeeks: 2 })
    const text = await exported(made.body.id)
    assert.include(text, section)
    const again = await send(text.replace('Twin', 'Triplet'))
    assert.equal((await exported(again.body.id)).replace('Triplet', 'Twin'), text)

    const wrong = section.replace(leader, `${leader}x`)
    const refused = await send(`name: Other\nplatform: ios\n${wrong}  intervalWeeks: 3\n`)
    assert.equal(refused.status, 422)
    assert.sameMembers(
      refused.body.errors.map(({ path, code }: any) => `${path} ${code}`),
      ['x-scheduleCadence.followsAppId unknown_value', 'x-scheduleCadence.intervalWeeks conflict']
    )
    const itself = await yaml(world, 'PATCH', `${app}/app/config`, section)
    assert.equal(itself.body.errors[0].code, 'unknown_value')
    // The other apps keep the followed cadence as their own when it is removed.
    const gone = await yaml(world, 'PATCH', `${app}/app/config`, 'x-scheduleCadence: null\n')
    assert.equal(gone.status, 200)
  })
})
