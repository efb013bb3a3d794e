import { test } from '@japa/runner'
import { ReportTriageIssues } from '#fixes/actions/report_triage_issues'
import type { IssueMetrics } from '#fixes/tables'
import { makeTrain } from '#releases/tests/helpers/release_world'

test.group('A repeated report of an issue', () => {
  const graveness = { by: 'userCount', medium: 100, high: 1000 } as const
  const seen = { title: 'It crashes', description: null, sourceUrl: null, graveness }
  const numbers = { eventCount: 1, userCount: 1, firstSeenAt: null, lastSeenAt: null }

  async function makeSeen() {
    const train = await makeTrain(['1.0.0', '1.1.0'])
    const { world, admin, app, path } = train
    const see = (
      version: string,
      origin = 'crash:int_1:a',
      metrics: IssueMetrics = numbers,
      more: object = {}
    ) =>
      world.write(async (scope) => {
        const { id: releaseId } = await scope.table('releases').where('app_id', app).firstOrFail()
        const source = 'stabilityMonitoring' as const
        const issue = { ...seen, source, origin, version, releaseId, metrics, ...more }
        return new ReportTriageIssues(scope).handle(app, [issue])
      })
    const list = async () => (await admin.get(`/app/${app}/triageIssue`)).body.data as any[]
    const reported = async () => (await admin.get(`/app/${app}/timelineEvents`)).body.data as any[]
    return { ...train, see, list, reported, release: path }
  }

  test('adds its version to the known issue', async ({ assert }) => {
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

  test('updates the numbers if it is about the newest affected version', async ({ assert }) => {
    const { see, list } = await makeSeen()
    const users = async (version: string, userCount: number) => {
      await see(version, undefined, { ...numbers, userCount })
      const [{ metrics, severity }] = await list()
      return [metrics.userCount, severity]
    }
    assert.deepEqual(await users('1.0.0', 50), [50, 'low'])
    assert.deepEqual(await users('1.1.0', 7), [7, 'low'])
    // The numbers of users who have not updated yet change nothing.
    assert.deepEqual(await users('1.0.0', 2000), [7, 'low'])
    assert.deepEqual(await users('1.1.0', 120), [120, 'medium'])
  })

  test('raises the severity once per threshold, unless somebody lowered it', async ({ assert }) => {
    const { see, list, admin, app, reported } = await makeSeen()
    const users = async (userCount: number) => {
      const news = await see('1.0.0', undefined, { ...numbers, userCount })
      const [{ severity }] = await list()
      return [news, severity]
    }
    assert.deepEqual(await users(5), [true, 'low'])
    assert.deepEqual(await users(50), [false, 'low'])
    assert.deepEqual(await users(150), [true, 'medium'])
    assert.deepEqual(await users(90), [false, 'medium'])
    const [{ id }] = await list()
    await admin.put(`/app/${app}/triageIssue/${id}`, { severity: 'low' })
    assert.deepEqual(await users(99), [false, 'low'])
    assert.deepEqual(await users(1200), [true, 'high'])
    await admin.put(`/app/${app}/triageIssue/${id}`, { severity: 'medium' })
    assert.deepEqual(await users(2000), [false, 'medium'])
    const raised = (await reported()).filter(({ actor }) => actor.name !== 'admin')
    assert.deepEqual(raised.flatMap(({ data }) => data.to?.severity ?? []).sort(), [
      'high',
      'medium',
    ])
  })

  test('updates the issue that people reported with the same address', async ({ assert }) => {
    const { see, list, admin, app } = await makeSeen()
    const sourceUrl = 'https://crashes.example/a'
    const create = (body: object) => admin.post(`/app/${app}/triageIssue`, body)
    const { body: made } = await create({
      title: 'It crashes at start',
      source: 'manual',
      sourceUrl,
    })
    await admin.put(`/app/${app}/triageIssue/${made.id}`, { severity: 'high' })
    await see('1.0.0', undefined, { ...numbers, userCount: 7 }, { sourceUrl })
    await see('1.1.0', undefined, { ...numbers, userCount: 8 }, { sourceUrl })
    const [issue, ...others] = await list()
    assert.isEmpty(others)
    assert.containsSubset(issue, {
      id: made.id,
      title: 'It crashes at start',
      source: 'manual',
      severity: 'high',
      status: 'open',
      affectedVersions: ['1.0.0', '1.1.0'],
    })
    assert.equal(issue.metrics.userCount, 8)
    // A second report with the same address updates the same issue, whatever its title.
    const again = await create({ title: 'Start crashes', sourceUrl })
    assert.deepEqual([again.status, again.body.id], [200, made.id])
  })

  test('does not open an issue that was resolved with no known version', async ({ assert }) => {
    const { see, list, admin, app } = await makeSeen()
    const sourceUrl = 'https://crashes.example/a'
    const { body } = await admin.post(`/app/${app}/triageIssue`, { title: 'Crash', sourceUrl })
    await admin.put(`/app/${app}/triageIssue/${body.id}`, { status: 'resolved' })
    await see('1.0.0', undefined, numbers, { sourceUrl })
    assert.deepEqual(
      (await list()).map(({ id, status }) => [id, status]),
      [[body.id, 'resolved']]
    )
  })

  test('is written if it differs, and otherwise once a day', async ({ assert }) => {
    const { see, list } = await makeSeen()
    const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString()
    const reported = (hour: number, userCount: number) => ({
      eventCount: 1,
      userCount,
      firstSeenAt: at(0),
      lastSeenAt: at(hour),
    })
    const lastSeen = async (hour: number, userCount: number) => {
      await see('1.0.0', undefined, reported(hour, userCount))
      const [{ metrics }] = await list()
      return metrics.lastSeenAt
    }
    assert.equal(await lastSeen(1, 1), at(1))
    assert.equal(await lastSeen(2, 1), at(1))
    assert.equal(await lastSeen(3, 2), at(3))
    assert.equal(await lastSeen(4, 2), at(3))
    assert.equal(await lastSeen(27, 2), at(27))
  })

  test('opens a resolved issue again for a new version, and leaves ignored ones alone', async ({
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
    // Users who have not updated still have it.
    assert.equal(await statusAfter('1.0.0'), 'resolved')
    assert.equal(await statusAfter('1.1.0'), 'open')
    await set('ignored')
    assert.equal(await statusAfter('1.2.0'), 'ignored')
  })

  test('opens an issue again if the version with its fix still has it', async ({ assert }) => {
    const { see, list, admin, app, path } = await makeSeen()
    await admin.put(`${path('1.0.0')}/kickoff`)
    await see('0.9.0')
    const [{ id }] = await list()
    const requested = await admin.post(`/app/${app}/triageIssue/${id}/requestFix`, {
      releaseId: `${app}:1.0.0`,
    })
    assert.equal(requested.status, 201, requested.text)
    await admin.put(`${path('1.0.0')}/complete`)
    assert.equal((await list())[0].status, 'resolved')
    await see('0.9.0')
    assert.equal((await list())[0].status, 'resolved')
    await see('1.0.0')
    const [again] = await list()
    assert.deepEqual([again.status, again.fixRequestId], ['open', null])
  })
})
