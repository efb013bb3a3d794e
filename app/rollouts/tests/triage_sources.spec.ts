import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { ReportTriageIssues } from '#fixes/actions/report_triage_issues'
import type { IssueMetrics } from '#fixes/tables'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { worthLooking } from '../issues/crash_issues.js'
import { monitored } from './monitor.js'
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
  await world.write((scope) => scope.agenda.lookNow())
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
    const told = body.data.filter(({ type }: any) => type.startsWith('triageIssue.'))
    assert.lengthOf(told, 1)
    assert.equal(told[0].actor.name, 'triage')
  })

  test('are old ones that grow, and the worst where there are many', ({ assert }) => {
    const old = (id: string, users: number) => issue(id, users, { firstVersion: '1.0.0' })
    const found = (now: object[], before: object[], moreSessions = 1, next?: string) =>
      worthLooking('int_1', '1.4.0', {
        fresh: { items: now as never },
        grown: {
          frequent: { items: now as never },
          earlier: { items: before as never, ...(next && { next }) },
          moreSessions,
        },
      }).map(({ origin, why }) => [origin, why])
    // Twice as many users of twice as many sessions are no growth.
    assert.isEmpty(found([old('a', 40)], [old('a', 20)], 2))
    assert.lengthOf(found([old('a', 80)], [old('a', 20)], 2), 1)
    // What may stand on a further page is not known.
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
    assert.match(found.description, /^Twice as often in 1\.4\.0 .*: 80 users\.$/)
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
})

test.group('What is seen of an issue again', () => {
  const seen = { title: 'It crashes', description: null, sourceUrl: null, severity: 'low' } as const
  const numbers = { eventCount: 1, userCount: 1, firstSeenAt: null, lastSeenAt: null }

  async function makeSeen() {
    const train = await makeTrain(['1.0.0', '1.1.0'])
    const { world, admin, app, path } = train
    const see = (version: string, origin = 'crash:int_1:a', metrics: IssueMetrics = numbers) =>
      world.write(async (scope) => {
        const { id: releaseId } = await scope.table('releases').where('app_id', app).firstOrFail()
        const source = 'stabilityMonitoring' as const
        const found = { ...seen, source, origin, version, releaseId, metrics }
        return new ReportTriageIssues(scope).handle(app, [found])
      })
    const list = () => issuesOf({ admin, appId: app })
    return { ...train, see, list, release: path }
  }

  test('adds its versions to the one there is', async ({ assert }) => {
    const { see, list } = await makeSeen()
    const news = [await see('1.0.0'), await see('1.0.0'), await see('1.1.0')]
    assert.deepEqual(news, [true, false, true])
    assert.isTrue(await see('1.0.0', 'crash:int_1:b'))
    const all = await list()
    assert.sameDeepMembers(
      all.map(({ affectedVersions }) => affectedVersions),
      [['1.0.0', '1.1.0'], ['1.0.0']]
    )
  })

  test('is written where it differs, and once a day where it does not', async ({ assert }) => {
    const { see, list } = await makeSeen()
    const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString()
    const told = (hour: number, userCount: number) => ({
      ...{ eventCount: 1, userCount },
      ...{ firstSeenAt: at(0), lastSeenAt: at(hour) },
    })
    const lastSeen = async (hour: number, userCount: number) => {
      await see('1.0.0', undefined, told(hour, userCount))
      const [{ metrics }] = await list()
      return metrics.lastSeenAt
    }
    assert.equal(await lastSeen(1, 1), at(1))
    assert.equal(await lastSeen(2, 1), at(1))
    assert.equal(await lastSeen(3, 2), at(3))
    assert.equal(await lastSeen(4, 2), at(3))
    assert.equal(await lastSeen(27, 2), at(27))
  })

  test('opens one that was resolved before, and leaves alone what somebody ignores', async ({
    assert,
  }) => {
    const { see, list, admin, app } = await makeSeen()
    await see('1.0.0')
    const [{ id }] = await list()
    const set = (status: string) => admin.put(`/app/${app}/triageIssue/${id}`, { status })
    const statusAfter = async (version: string) => {
      await see(version)
      return (await list())[0].status
    }
    assert.equal((await set('resolved')).status, 200)
    // Whoever has not updated yet still has it.
    assert.equal(await statusAfter('1.0.0'), 'resolved')
    assert.equal(await statusAfter('1.1.0'), 'open')
    await set('ignored')
    assert.equal(await statusAfter('1.2.0'), 'ignored')
  })

  test('is resolved when its fix ships, and open again where the fix did not help', async ({
    assert,
  }) => {
    const { see, list, admin, app, path } = await makeSeen()
    await admin.put(`${path('1.0.0')}/kickoff`)
    await see('0.9.0')
    const [{ id }] = await list()
    const asked = await admin.post(`/app/${app}/triageIssue/${id}/requestFix`, {
      releaseId: `${app}:1.0.0`,
    })
    assert.equal(asked.status, 201, asked.text)
    await admin.put(`${path('1.0.0')}/complete`)
    assert.equal((await list())[0].status, 'resolved')
    await see('0.9.0')
    assert.equal((await list())[0].status, 'resolved')
    await see('1.0.0')
    const [again] = await list()
    assert.deepEqual([again.status, again.fixRequestId], ['open', null])
  })
})
