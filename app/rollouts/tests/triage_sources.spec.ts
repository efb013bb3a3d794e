import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { ReportTriageIssues } from '#fixes/actions/report_triage_issues'
import { sendYaml } from '#configuration/tests/functional/yaml'
import { connect } from '#integrations/tests/support/connect'
import { workAway } from '#releases/tests/helpers/code_world'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { worthLooking } from '../issues/crash_issues.js'
import { Monitor, monitored } from './monitor.js'
import { ago, rollingOut } from './support.js'

const issue = (id: string, users: number, more: object = {}) => ({
  id,
  title: `Crash ${id}`,
  users,
  events: users * 2,
  open: true,
  firstVersion: '1.4.0',
  url: `https://crashes.example/${id}`,
  ...more,
})

const issuesOf = async ({ admin, appId }: Pick<StoreWorld, 'admin' | 'appId'>, query = '') =>
  (await admin.get(`/app/${appId}/triageIssue${query}`)).body.data as any[]

/** Checks all observed sources now, and runs the jobs that follow. */
async function check({ world, work }: StoreWorld) {
  await world.write((scope) => scope.jobs.pollNow())
  for (let turn = 0; turn < 3; turn++) await work()
}

test.group('Triage issues from crash tools', (group) => {
  group.each.teardown(tidy)

  test('are opened once for new crashes of a released version, and their numbers are kept up to date', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    let users = 120
    monitor.issues = ({ version }, order) =>
      version === '1.4.0' && order === 'new'
        ? [
            issue('a', users, { title: `  Null\n\npointer ${'x'.repeat(300)}` }),
            issue('alone', 1),
            issue('closed', 50, { open: false }),
          ]
        : []
    await check(given)
    const [found, ...others] = await issuesOf(given)
    assert.isEmpty(others)
    assert.containsSubset(found, {
      source: 'stabilityMonitoring',
      sourceUrl: 'https://crashes.example/a',
      severity: 'medium',
      status: 'open',
      affectedVersions: ['1.4.0'],
      metrics: { userCount: 120, eventCount: 240 },
    })
    assert.match(found.title, /^Null pointer x+$/)
    assert.lengthOf(found.title, 200)
    users = 130
    await check(given)
    const again = await issuesOf(given)
    assert.deepEqual(
      again.map(({ id, metrics }) => [id, metrics.userCount]),
      [[found.id, 130]]
    )
    const { body } = await given.admin.get(`/app/${given.appId}/timelineEvents`)
    const reported = body.data.filter(({ type }: any) => type.startsWith('triageIssue.'))
    assert.lengthOf(reported, 1)
    assert.equal(reported[0].actor.name, 'triage')
  })

  test('are opened for growing old crashes, and only for the worst of many', ({ assert }) => {
    const old = (id: string, users: number) => issue(id, users, { firstVersion: '1.0.0' })
    const found = (now: object[], before: object[], sessionRatio = 1, next?: string) =>
      worthLooking('int_1', '1.4.0', {
        newIssues: { items: now as never },
        frequent: { items: now as never },
        known: new Set<string>(),
        grown: {
          earlier: { items: before as never, ...(next && { next }) },
          sessionRatio,
        },
      }).map(({ origin, why }) => [origin, why])
    // Twice as many users in twice as many sessions are no growth.
    assert.isEmpty(found([old('a', 40)], [old('a', 20)], 2))
    assert.lengthOf(found([old('a', 80)], [old('a', 20)], 2), 1)
    // An issue that is not on the first page may be on a later one.
    assert.isEmpty(found([old('a', 40)], [], 1, 'page-2'))
    assert.lengthOf(found([old('a', 40)], []), 1)
    assert.deepEqual(
      found([old('a', 40), old('b', 40), old('c', 9)], [old('a', 20), old('b', 21)]),
      [['crash:int_1:a', 'growing']]
    )
    assert.deepEqual(found([issue('n', 40)], []), [['crash:int_1:n', 'new']])
    const many = Array.from({ length: 90 }, (_, index) => issue(`m${index}`, 1000 - index))
    const worst = found(many, many)
    assert.lengthOf(worst, 20)
    assert.deepEqual(worst[0], ['crash:int_1:m0', 'new'])
  })

  test('measure growth per session, and not on the first days of a version', async ({ assert }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    const day = (to: string) => (Date.parse(to) > Date.now() - 3_600_000 ? 1 : 0)
    let users = [20, 40]
    monitor.issues = ({ to }, order) =>
      order === 'frequent' ? [issue('old', users[day(to)], { firstVersion: '1.0.0' })] : []
    let sessions = [1000, 2000]
    monitor.sessionsOf = ({ to }) => sessions[day(to)]
    const outSince = (hours: number) =>
      db
        .from('releases')
        .where('app_id', given.appId)
        .update({ released_at: ago(hours) })
    // The version was out only for a part of the previous day, so its crashes of that day are
    // incomplete.
    users = [0, 40]
    await outSince(30)
    await check(given)
    assert.isEmpty(await issuesOf(given))
    users = [20, 40]
    await outSince(100)
    await check(given)
    assert.isEmpty(await issuesOf(given))
    users = [20, 80]
    sessions = [0, 2000]
    await check(given)
    assert.isEmpty(await issuesOf(given))
    sessions = [1000, 2000]
    await check(given)
    const [found] = await issuesOf(given)
    assert.match(found.description, /^Twice as often in 1\.4\.0 /)
    assert.equal(found.metrics.userCount, 80)
  })

  test('are opened again if a later version still has a resolved crash', async ({ assert }) => {
    const given = await rollingOut()
    const { world, appId, admin } = given
    const monitor = await monitored(given)
    const { id: releaseId } = await db.from('releases').where('app_id', appId).firstOrFail()
    const { id: tool } = await db
      .from('integrations')
      .where({ app_id: appId, kind: 'crashMonitoring' })
      .firstOrFail()
    const numbers = { eventCount: 9, userCount: 9, firstSeenAt: null, lastSeenAt: null }
    await world.write((scope) =>
      new ReportTriageIssues(scope).handle(appId, [
        {
          origin: `crash:${tool}:old`,
          title: 'Old crash',
          description: null,
          source: 'stabilityMonitoring',
          sourceUrl: null,
          metrics: numbers,
          graveness: { by: 'userCount', medium: 100, high: 1000 },
          version: '1.3.0',
          releaseId,
        },
      ])
    )
    const [{ id }] = await issuesOf(given)
    await admin.put(`/app/${appId}/triageIssue/${id}`, { status: 'resolved' })
    const old = { firstVersion: '1.3.0' }
    monitor.issues = ({ version }, order) =>
      version === '1.4.0' && order === 'frequent'
        ? [issue('old', 3, old), issue('other', 500, old)]
        : []
    await check(given)
    const [found, ...others] = await issuesOf(given)
    assert.isEmpty(others)
    assert.containsSubset(found, { id, status: 'open', affectedVersions: ['1.3.0', '1.4.0'] })
    assert.equal(found.metrics.userCount, 3)
  })

  test('are opened later after an outage of the tool, and not for versions that do not matter any more', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    const requested: string[] = []
    monitor.issues = ({ version }, order) => {
      requested.push(version)
      return order === 'new' ? [issue('a', 10)] : []
    }
    monitor.isDown = true
    await check(given)
    assert.isEmpty(await issuesOf(given))
    monitor.isDown = false
    await check(given)
    assert.lengthOf(await issuesOf(given), 1)
    assert.deepEqual([...new Set(requested)], ['1.4.0'])
  })
})

test.group('Triage issues of a released version', (group) => {
  group.each.teardown(tidy)

  test('are opened from a crash tool that is connected after the release', async ({ assert }) => {
    const { world, admin, app, path } = await makeTrain(['1.0.0'])
    await admin.put(`${path('1.0.0')}/kickoff`)
    await admin.put(`${path('1.0.0')}/complete`)
    // No crash tool is connected yet.
    await workAway()
    const monitor = new Monitor()
    monitor.issues = (_, order) =>
      order === 'new' ? [issue('a', 10, { firstVersion: '1.0.0' })] : []
    await loadTestPlugins({ memory: async () => ({ default: monitor.plugin }) })
    const { id: provider } = await connect(world, 'memory-monitor')
    const file = `integrations: { crashes: { type: sentry, provider: '${provider}' } }`
    const { status, text } = await sendYaml(admin, 'PATCH', `/app/${app}/app/config`, file)
    assert.equal(status, 200, text)
    await workAway()
    const found = await issuesOf({ admin, appId: app })
    assert.deepEqual(
      found.map(({ title, affectedVersions }) => [title, affectedVersions]),
      [['Crash a', ['1.0.0']]]
    )
  })
})

test.group('Triage issues from reviews', (group) => {
  group.each.teardown(tidy)

  test('are opened once per subject of several reviews', async ({ assert }) => {
    const given = await rollingOut()
    const { store } = given
    const write = (id: string, text: string, rating = 1) =>
      store.reviews.push({
        id,
        rating,
        text,
        author: id,
        locale: 'en-US',
        version: '1.4.0',
        at: new Date(Date.UTC(2026, 10, 20, 12, store.reviews.length)).toISOString(),
      })
    write('R1', 'Logout every morning')
    write('R2', 'Again a logout')
    write('R9', 'Logout of nothing, lovely', 5)
    await check(given)
    await check(given)
    assert.isEmpty(await issuesOf(given))
    write('R3', 'Why this logout?')
    for (let turn = 0; turn < 3; turn++) await check(given)
    const found = await issuesOf(given)
    assert.lengthOf(found, 1)
    assert.containsSubset(found[0], {
      title: 'Reviews speak of "logout"',
      source: 'appReviews',
      severity: 'low',
      affectedVersions: ['1.4.0'],
      metrics: { eventCount: 3, userCount: null },
    })
    write('R4', 'logout logout logout')
    for (let turn = 0; turn < 3; turn++) await check(given)
    const [after, ...others] = await issuesOf(given)
    assert.isEmpty(others)
    assert.deepEqual([after.id, after.metrics.eventCount], [found[0].id, 4])
  })

  test('stay one issue when another of its words becomes the more frequent one', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const write = (id: string, text: string) =>
      given.store.reviews.push({
        id,
        rating: 1,
        text,
        author: id,
        locale: 'en-US',
        version: '1.4.0',
        at: new Date(Date.UTC(2026, 10, 20, 12, given.store.reviews.length)).toISOString(),
      })
    for (const id of ['R1', 'R2', 'R3']) write(id, 'broken logout')
    for (let turn = 0; turn < 3; turn++) await check(given)
    const [found] = await issuesOf(given)
    assert.equal(found.title, 'Reviews speak of "broken"')
    for (const id of ['R4', 'R5']) write(id, 'logout')
    for (let turn = 0; turn < 3; turn++) await check(given)
    const [after, ...others] = await issuesOf(given)
    assert.isEmpty(others)
    assert.deepEqual([after.id, after.metrics.eventCount], [found.id, 5])
  })
})
