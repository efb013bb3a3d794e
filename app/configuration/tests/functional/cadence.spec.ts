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

  test('200 a change replaces it but for single trains, null takes it away', async ({ assert }) => {
    const { world, app } = await make(CADENCE)
    const exceptions = [{ date: '2026-12-14', skipped: true }]
    await world.admin.put(`${app}/scheduleCadence`, { exceptions })
    const changed = CADENCE.replace('draftWeeksAhead: 6', 'draftWeeksAhead: 2')
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

  test('422 lists every fault with its place, and makes nothing', async ({ assert }) => {
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
  })
})
