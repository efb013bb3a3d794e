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
  ...{ id, title: `Crash ${id}`, users, events: users * 2, open: true },
  ...{ firstVersion: '1.4.0', url: `https://crashes.example/${id}` },
  ...more,
})

const issuesOf = async ({ admin, appId }: Pick<StoreWorld, 'admin' | 'appId'>, query = '') =>
  (await admin.get(`/app/${appId}/triageIssue${query}`)).body.data as any[]

/** Has what is observed looked at, and what follows done. */
async function look({ world, work }: StoreWorld) {
  await world.write((scope) => scope.jobs.lookNow())
  for (let turn = 0; turn < 3; turn++) await work()
}

test.group('Triage issues from crash tools', (group) => {
  group.each.teardown(tidy)

  test('new ones of a version that users have are opened once, with their numbers as they are', async ({
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
    await look(given)
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
    await look(given)
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

  test('are old ones that grow, and the worst where there are many', ({ assert }) => {
    const old = (id: string, users: number) => issue(id, users, { firstVersion: '1.0.0' })
    const found = (now: object[], before: object[], moreSessions = 1, next?: string) =>
      worthLooking('int_1', '1.4.0', {
        fresh: { items: now as never },
        frequent: { items: now as never },
        known: new Set<string>(),
        grown: {
          earlier: { items: before as never, ...(next && { next }) },
          moreSessions,
        },
      }).map(({ origin, why }) => [origin, why])
    // Twice as many users of twice as many sessions are no growth.
    assert.isEmpty(found([old('a', 40)], [old('a', 20)], 2))
    assert.lengthOf(found([old('a', 80)], [old('a', 20)], 2), 1)
    // Further pages are unknown.
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

  test('grow by session, and not on the first days of a version', async ({ assert }) => {
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
    // It was out for a part of yesterday: what crashed then is not all there was.
    users = [0, 40]
    await outSince(30)
    await look(given)
    assert.isEmpty(await issuesOf(given))
    users = [20, 40]
    await outSince(100)
    await look(given)
    assert.isEmpty(await issuesOf(given))
    users = [20, 80]
    sessions = [0, 2000]
    await look(given)
    assert.isEmpty(await issuesOf(given))
    sessions = [1000, 2000]
    await look(given)
    const [found] = await issuesOf(given)
    assert.match(found.description, /^Twice as often in 1\.4\.0 /)
    assert.equal(found.metrics.userCount, 80)
  })

  test('are open again where a version has what an earlier one was rid of', async ({ assert }) => {
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
          ...{ origin: `crash:${tool}:old`, title: 'Old crash', description: null },
          ...{ source: 'stabilityMonitoring' as const, sourceUrl: null, metrics: numbers },
          ...{ graveness: { by: 'userCount' as const, medium: 100, high: 1000 } },
          ...{ version: '1.3.0', releaseId },
        },
      ])
    )
    const [{ id }] = await issuesOf(given)
    await admin.put(`/app/${appId}/triageIssue/${id}`, { status: 'resolved' })
    const was = { firstVersion: '1.3.0' }
    monitor.issues = ({ version }, order) =>
      version === '1.4.0' && order === 'frequent'
        ? [issue('old', 3, was), issue('other', 500, was)]
        : []
    await look(given)
    const [found, ...others] = await issuesOf(given)
    assert.isEmpty(others)
    assert.containsSubset(found, { id, status: 'open', affectedVersions: ['1.3.0', '1.4.0'] })
    assert.equal(found.metrics.userCount, 3)
  })

  test('come later where the tool is away, and not of versions that do not matter any more', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const monitor = await monitored(given)
    const asked: string[] = []
    monitor.issues = ({ version }, order) => {
      asked.push(version)
      return order === 'new' ? [issue('a', 10)] : []
    }
    monitor.isDown = true
    await look(given)
    assert.isEmpty(await issuesOf(given))
    monitor.isDown = false
    await look(given)
    assert.lengthOf(await issuesOf(given), 1)
    assert.deepEqual([...new Set(asked)], ['1.4.0'])
  })
})

test.group('Triage issues of a version that users have already', (group) => {
  group.each.teardown(tidy)

  test('come from a crash tool that the app names later', async ({ assert }) => {
    const { world, admin, app, path } = await makeTrain(['1.0.0'])
    await admin.put(`${path('1.0.0')}/kickoff`)
    await admin.put(`${path('1.0.0')}/complete`)
    // There is nobody to ask.
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

  test('are opened by subject, once for all that speak of it', async ({ assert }) => {
    const given = await rollingOut()
    const { store } = given
    const write = (id: string, text: string, rating = 1) =>
      store.reviews.push({
        ...{ id, rating, text, author: id, locale: 'en-US', version: '1.4.0' },
        at: new Date(Date.UTC(2026, 10, 20, 12, store.reviews.length)).toISOString(),
      })
    write('R1', 'Logout every morning')
    write('R2', 'Again a logout')
    write('R9', 'Logout of nothing, lovely', 5)
    await look(given)
    await look(given)
    assert.isEmpty(await issuesOf(given))
    write('R3', 'Why this logout?')
    for (let turn = 0; turn < 3; turn++) await look(given)
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
    for (let turn = 0; turn < 3; turn++) await look(given)
    const [after, ...others] = await issuesOf(given)
    assert.isEmpty(others)
    assert.deepEqual([after.id, after.metrics.eventCount], [found[0].id, 4])
  })

  test('are one issue, also once another word of it is the more frequent one', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const write = (id: string, text: string) =>
      given.store.reviews.push({
        ...{ id, rating: 1, text, author: id, locale: 'en-US', version: '1.4.0' },
        at: new Date(Date.UTC(2026, 10, 20, 12, given.store.reviews.length)).toISOString(),
      })
    for (const id of ['R1', 'R2', 'R3']) write(id, 'broken logout')
    for (let turn = 0; turn < 3; turn++) await look(given)
    const [found] = await issuesOf(given)
    assert.equal(found.title, 'Reviews speak of "broken"')
    for (const id of ['R4', 'R5']) write(id, 'logout')
    for (let turn = 0; turn < 3; turn++) await look(given)
    const [after, ...others] = await issuesOf(given)
    assert.isEmpty(others)
    assert.deepEqual([after.id, after.metrics.eventCount], [found.id, 5])
  })
})
