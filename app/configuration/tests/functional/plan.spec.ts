import { test } from '@japa/runner'
import { makeWorld, type World } from '#tests/support/world'

const yaml = (world: World, method: string, path: string, raw: string) =>
  world.admin.send<any>(method, path, { raw, headers: { 'content-type': 'application/yaml' } })

const PLAN = `x-lifecycleFreezes:
  - name: Holidays
    startAt: 2026-12-21T00:00:00.000Z
    endAt: 2027-01-04T00:00:00.000Z
    phases:
      - submit
      - release
x-automations:
  kickoffOnTargetDate:
    enabled: true
    runAfterFreeze: false
  submitOnTargetDate:
    enabled: true
    runAfterFreeze: true
  tagOnRelease:
    enabled: true
x-notifications:
  release.kickoffReminder:
    leadTimeMinutes: 120
  release.created:
    enabled: false
  checklistItem.statusChanged:
    enabled: true
    channelOverride: C0QA
`

async function make(text: string, platform = 'ios') {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}/app/config`
  const { status, body } = await yaml(
    world,
    'POST',
    path,
    `name: A\nplatform: ${platform}\n${text}`
  )
  return { world, status, body, app: `/app/${body.id}` }
}

test.group('Freezes, automations and notifications of a configuration file', () => {
  test('201 sets them, and they are exported as they came', async ({ assert }) => {
    const { world, status, app } = await make(PLAN)
    assert.equal(status, 201)
    assert.containsSubset((await world.admin.get(`${app}/lifecycleFreezes`)).body, [
      { name: 'Holidays', phases: ['submit', 'release'], startAt: '2026-12-21T00:00:00.000Z' },
    ])
    assert.containsSubset((await world.admin.get(`${app}/automations`)).body, [
      { type: 'kickoffOnTargetDate', enabled: true, config: { runAfterFreeze: false } },
      { type: 'submitOnTargetDate', enabled: true, config: { runAfterFreeze: true } },
      { type: 'releaseOnTargetDate', enabled: false, config: { runAfterFreeze: true } },
      // Nothing can be tagged before the app has version control.
      { type: 'tagOnRelease', enabled: true, status: 'inactive' },
    ])
    assert.containsSubset((await world.admin.get(`${app}/notifications`)).body, [
      { type: 'release.kickoffReminder', enabled: true, leadTimeMinutes: 120 },
      { type: 'release.created', enabled: false },
      { type: 'checklistItem.statusChanged', enabled: true, channelOverride: 'C0QA' },
    ])
    const { text } = await world.admin.get(`${app}/app/config`)
    assert.include(text.replaceAll('"', ''), PLAN)
    const again = await yaml(world, 'PATCH', `${app}/app/config?dryRun=true`, text)
    assert.deepEqual(again.body, [])
  })

  test('200 a map given replaces, null clears, and a freeze that stays keeps its id', async ({
    assert,
  }) => {
    const { world, app } = await make(PLAN)
    const freezes = async () => (await world.admin.get(`${app}/lifecycleFreezes`)).body
    const before = await freezes()
    const change = `x-lifecycleFreezes:
- {name: Holidays, startAt: 2026-12-21T01:00:00+01:00, endAt: 2027-01-04T00:00:00Z, phases: [release, submit]}
- {name: Fair, startAt: 2026-12-01T00:00:00Z, endAt: 2026-12-02T00:00:00Z, phases: [kickoff]}
x-automations: {kickoffOnTargetDate: {enabled: true}}
x-notifications: null`
    const { status } = await yaml(world, 'PATCH', `${app}/app/config`, change)
    assert.equal(status, 200)
    const [fair, holidays] = await freezes()
    assert.equal(fair.name, 'Fair')
    assert.equal(holidays.id, before[0].id)
    const enabled = (await world.admin.get(`${app}/automations`)).body.map(
      (each: { enabled: boolean }) => each.enabled
    )
    assert.deepEqual(enabled.slice(0, 3), [true, false, false])
    assert.containsSubset((await world.admin.get(`${app}/notifications`)).body, [
      { type: 'release.kickoffReminder', leadTimeMinutes: 1440 },
      { type: 'release.created', enabled: true },
    ])
  })

  test('422 lists errors with their places, and creates nothing', async ({ assert }) => {
    const { world, status, body } = await make(`x-lifecycleFreezes:
- {name: A, startAt: 2026-12-21T00:00:00Z, endAt: 2026-12-21T00:00:00Z, phases: [submit]}
- {name: B, startAt: tomorrow, endAt: 2026-12-21T00:00:00Z, phases: []}
- {startAt: 2026-12-21T00:00:00Z, endAt: 2026-12-22T00:00:00Z, phases: [submit, submit, lunch]}
x-automations:
  submitOnTargetDate: {enabled: true}
x-notifications:
  release.created: {leadTimeMinutes: 10}
  release.submitReminder: {leadTimeMinutes: -1, channelOverride: ''}
  release.lunch: {enabled: true}
`)
    assert.equal(status, 422)
    assert.sameDeepMembers(
      body.errors.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [
        ['x-lifecycleFreezes[0].endAt', 'wrong_order'],
        ['x-lifecycleFreezes[1].startAt', 'invalid_date'],
        ['x-lifecycleFreezes[1].phases', 'required'],
        ['x-lifecycleFreezes[2].name', 'required'],
        ['x-lifecycleFreezes[2].phases[2]', 'unknown_value'],
        ['x-lifecycleFreezes[2].phases', 'duplicate'],
        ['x-automations.submitOnTargetDate', 'conflict'],
        ['x-notifications["release.created"].leadTimeMinutes', 'unknown_key'],
        ['x-notifications["release.submitReminder"].leadTimeMinutes', 'out_of_range'],
        ['x-notifications["release.submitReminder"].channelOverride', 'blank'],
        ['x-notifications["release.lunch"]', 'unknown_key'],
      ]
    )
    assert.deepEqual((await world.admin.get(`/org/${world.organizationId}/apps`)).body, [])
    const ota = await make(
      'x-automations: {bumpVersionAfterSubmission: {enabled: true}, tagOnRelease: {runAfterFreeze: true}}',
      'react-native-ota'
    )
    assert.sameMembers(
      ota.body.errors.map(({ code }: { code: string }) => code),
      ['not_allowed', 'unknown_key']
    )
    const google = await make('x-automations: {releaseOnTargetDate: {enabled: true}}', 'android')
    assert.deepEqual(
      google.body.errors.map(({ code }: { code: string }) => code),
      ['not_allowed']
    )
  })
})
