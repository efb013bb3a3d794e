import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { later } from '#foundation/core/clock'
import { makeUser } from '#tests/support/app_fixture'
import type { World } from '#tests/support/world'
import { makePlanned, patchConfig, weekly, DAY, type Planned } from './support.js'

/*
 * Every error has its code and its place, by request, by dry run and by file, and changes nothing:
 * no row, no event, no job, no call.
 */

const OF_ORGANIZATION = ['events', 'jobs', 'app_plans', 'release_plans', 'releases']
const ALL = [...OF_ORGANIZATION, 'calendar_feeds', 'app_notifications', 'integration_calls', 'apps']

/** Returns everything that planning has stored and sent for an organization. */
async function footprint({ organizationId }: World): Promise<string> {
  const rows = await Promise.all(
    ALL.map((table) => db.from(table).where('organization_id', organizationId).select('*'))
  )
  const texts = rows.map((each) => each.map((row) => JSON.stringify(row)).sort())
  return JSON.stringify(texts)
}

/** The name of a case, its request, and the answer. */
type Case = [what: string, path: string, body: object, status: number, pointerAndCode: string]

const kickoff = { dayOffset: 2, time: '10:00' }
const freeze = {
  name: 'Holidays',
  startAt: '2027-12-20T00:00:00Z',
  endAt: '2028-01-03T00:00:00Z',
  phases: ['kickoff'],
}

async function makeCases({ admin, at, world, app }: Planned) {
  const now = new Date().toISOString()
  const sound = weekly(now)
  const left = await makeUser(world, 'left@acme.example')
  const there = await makeUser(world, 'there@acme.example')
  await db.from('users').where('id', left).delete()
  const set = await admin.put(at('scheduleCadence'), sound)
  if (set.status !== 200) throw new Error(set.text)
  const next = later(`${sound.startDate}T00:00:00.000Z`, 28 * DAY).slice(0, 10)
  const cadence = 'scheduleCadence'
  const freezes = 'lifecycleFreezes'
  const frozen = (more: object) => ({ freezes: [freeze, { ...freeze, ...more }] })
  const order = (targets: object) => ({ targets: [{ kickoff, ...targets }] })
  const cases: Case[] = [
    [
      'end before start',
      freezes,
      frozen({ endAt: '2027-12-19T00:00:00Z' }),
      422,
      '/freezes/1/endAt period',
    ],
    [
      'end at the start',
      freezes,
      frozen({ endAt: freeze.startAt }),
      422,
      '/freezes/1/endAt period',
    ],
    ['empty phases', freezes, frozen({ phases: [] }), 422, '/freezes/1/phases array_min_length'],
    [
      'a phase twice',
      freezes,
      frozen({ phases: ['submit', 'submit'] }),
      422,
      '/freezes/1/phases distinct',
    ],
    ['no such phase', freezes, frozen({ phases: ['lunch'] }), 422, '/freezes/1/phases/0 enum'],
    ['unknown zone', cadence, { timezone: 'Europe/Atlantis' }, 422, '/timezone timezone'],
    ['a bare offset as zone', cadence, { timezone: '+02:00' }, 422, '/timezone timezone'],
    [
      'offsets out of order',
      cadence,
      order({ submit: { dayOffset: 1, time: '10:00' } }),
      422,
      '/targets/0/submit target_order',
    ],
    [
      'times out of order',
      cadence,
      order({ release: { dayOffset: 2, time: '09:59' } }),
      422,
      '/targets/0/release target_order',
    ],
    ['interval 0', cadence, { intervalWeeks: 0 }, 422, '/intervalWeeks min'],
    ['interval 1,000', cadence, { intervalWeeks: 1000 }, 422, '/intervalWeeks max'],
    ['a day that there is not', cadence, { startDate: '2027-02-29' }, 422, '/startDate date'],
    [
      'a pilot who left, named for a train',
      cadence,
      { exceptions: [{ date: next, releasePilotId: left }] },
      422,
      '/exceptions/0/releasePilotId unknown_user',
    ],
    [
      'a pilot who left, away',
      cadence,
      { absences: [{ userId: left, from: next, to: next }] },
      422,
      '/absences/0/userId unknown_user',
    ],
    [
      'away to before from',
      cadence,
      { absences: [{ userId: there, from: next, to: '2026-01-01' }] },
      422,
      '/absences/0/to period',
    ],
    [
      'a train that there is not',
      cadence,
      { startDate: '2027-01-04', exceptions: [{ date: '2027-01-05', skipped: true }] },
      422,
      '/exceptions/0/date no_train',
    ],
    ['nobody to follow', cadence, { followsAppId: 'nobody' }, 422, '/followsAppId unknown_app'],
    [
      'resumeAt in the past',
      'automations/pause',
      { paused: true, resumeAt: '2020-01-01T00:00:00Z' },
      422,
      '/resumeAt past',
    ],
    [
      'an end of no pause',
      'automations/pause',
      { paused: false, resumeAt: later(now, DAY) },
      422,
      '/resumeAt not_paused',
    ],
    [
      'a pause of no release',
      'automations/pause',
      { paused: true, releaseId: `${app}:9.9.9` },
      404,
      'not_found',
    ],
    [
      'an automation whose dependency is off',
      'automations',
      { type: 'submitOnTargetDate', enabled: true },
      409,
      'automation_dependency',
    ],
    [
      'one without what it needs',
      'automations',
      { type: 'tagOnRelease', enabled: true },
      409,
      'automation_dependency',
    ],
    [
      'one of no release',
      'automations',
      { type: 'kickoffOnTargetDate', enabled: true, releaseId: `${app}:9.9.9` },
      404,
      'not_found',
    ],
    [
      'a freeze that holds no follow-up',
      'automations',
      { type: 'tagOnRelease', enabled: true, config: { runAfterFreeze: true } },
      422,
      '/config/runAfterFreeze scheduled_only',
    ],
    ['no such automation', 'automations', { type: 'fly', enabled: true }, 422, '/type enum'],
    [
      'a reminder after the date',
      'notifications',
      { type: 'release.kickoffReminder', leadTimeMinutes: -1 },
      422,
      '/leadTimeMinutes min',
    ],
    [
      'a lead time of what reminds of nothing',
      'notifications',
      { type: 'release.created', leadTimeMinutes: 5 },
      422,
      '/leadTimeMinutes not_a_reminder',
    ],
  ]
  return cases
}

test.group('Input that planning refuses', () => {
  test('each case has its code and its place, and leaves nothing behind', async ({ assert }) => {
    const given = await makePlanned(['1.0.0'])
    const { admin, at, world } = given
    const cases = await makeCases(given)
    const before = await footprint(world)
    for (const [what, path, body, status, expected] of cases) {
      for (const query of path === 'scheduleCadence' || path === 'lifecycleFreezes'
        ? ['', '?dryRun=true']
        : ['']) {
        const response = await admin.put(`${at(path)}${query}`, body)
        const { code, errors = [] } = response.body
        assert.equal(response.status, status, `${what}: ${response.text}`)
        const found = status === 422 ? `${errors[0].pointer} ${errors[0].code}` : code
        assert.equal(found, expected, what)
        assert.equal(await footprint(world), before, what)
      }
    }
  })

  test('several errors are reported at once, and sound members beside them are not kept', async ({
    assert,
  }) => {
    const given = await makePlanned()
    const { admin, at, world } = given
    await makeCases(given)
    const before = await footprint(world)
    const { status, body } = await admin.put(at('scheduleCadence'), {
      paused: true,
      intervalWeeks: 0,
      timezone: 'Nowhere',
      targets: [{ kickoff, submit: { dayOffset: 0, time: '10:00' } }],
    })
    assert.equal(status, 422)
    assert.sameMembers(
      body.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/intervalWeeks', '/timezone', '/targets/0/submit']
    )
    assert.equal(await footprint(world), before)
  })

  test('a configuration file has the same errors, and leaves nothing behind', async ({
    assert,
  }) => {
    const given = await makePlanned(['1.0.0'])
    const { admin, app, world, schedule } = given
    await makeCases(given)
    const sound = { startDate: '2027-01-04', targets: { kickoff } }
    const cadence = (more: object) => ({ 'x-scheduleCadence': { ...sound, ...more } })
    const frozen = (more: object) => ({ 'x-lifecycleFreezes': [{ ...freeze, ...more }] })
    const cases: [string, object, string][] = [
      ['end before start', frozen({ endAt: '2027-12-19T00:00:00Z' }), 'wrong_order'],
      ['empty phases', frozen({ phases: [] }), 'required'],
      ['unknown zone', cadence({ timezone: 'Europe/Atlantis' }), 'invalid_timezone'],
      [
        'offsets out of order',
        cadence({ targets: { kickoff, submit: { dayOffset: 0, time: '10:00' } } }),
        'wrong_order',
      ],
      ['interval 0', cadence({ intervalWeeks: 0 }), 'wrong_type'],
      ['interval 1,000', cadence({ intervalWeeks: 1000 }), 'wrong_type'],
      [
        'a pilot who left',
        cadence({
          absences: [{ user: 'left@acme.example', from: '2027-01-04', to: '2027-01-05' }],
        }),
        'member_unknown',
      ],
      [
        'a dependency that is off',
        { 'x-automations': { submitOnTargetDate: { enabled: true } } },
        'conflict',
      ],
      ['no such automation', { 'x-automations': { fly: { enabled: true } } }, 'unknown_key'],
      [
        'a reminder after the date',
        { 'x-notifications': { 'release.kickoffReminder': { leadTimeMinutes: -1 } } },
        'out_of_range',
      ],
    ]
    const before = await footprint(world)
    for (const [what, file, code] of cases) {
      const { status, body, text } = await patchConfig(admin, app, JSON.stringify(file))
      assert.equal(status, 422, `${what}: ${text}`)
      assert.include(
        body.errors.map((each: { code: string }) => each.code),
        code,
        what
      )
      assert.equal(await footprint(world), before, what)
    }
    assert.isNotEmpty(await schedule())
  })

  test('overlapping freezes and an empty rotation are allowed', async ({ assert }) => {
    const { admin, at, freeze: put, schedule } = await makePlanned()
    const sound = weekly(new Date().toISOString())
    const wide = { ...freeze, startAt: '2026-01-01T00:00:00Z', name: 'Long' }
    const { status, body } = await put([freeze, freeze, wide])
    assert.deepEqual([status, body.length], [200, 3])
    assert.equal((await admin.put(at('scheduleCadence'), sound)).status, 200)
    const entries = await schedule()
    assert.isNotEmpty(entries)
    for (const { pilot, frozenBy } of entries) {
      assert.isNull(pilot)
      assert.lengthOf(frozenBy, 1)
    }
  })
})
