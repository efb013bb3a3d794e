import { test } from '@japa/runner'
import { newId } from '#foundation/core/ids'
import { fixRequests } from '#fixes/tables'
import type { FixStatus } from '#fixes/vocabulary'
import type { Sample } from '#rollouts/guard/bounds'
import { rollouts, type Finding } from '#rollouts/tables'
import { newRollout } from '#rollouts/watch_rollouts'
import { makeStoreReview } from '#stores/tests/builds'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'

/*
 * A fixture computed by hand. The requested period is 1 to 31 March 2026.
 *
 *                      kickoff    submitted        approved         released
 * a 1.0.0 (train)      02-26      03-01 10:00      03-01 22:00      03-02   4 days, review 12 h
 *         target submit 03-01 12:00 (kept), target release 03-01 (missed)
 * a 1.1.0 (train)      03-06      03-10 00:00      03-11 12:00      03-12   6 days, review 36 h
 *         target release 03-12 (kept)
 * a 1.1.1 (hotfix)     03-13      none             none             03-14   1 day
 * b 3.0.0 (train)      03-20      none             none             03-21   1 day
 * a 0.9.0 (train)      01-28      none             none             02-10   the period before
 */
async function fixture(): Promise<{ world: World; a: string; b: string }> {
  const world = await makeWorld()
  const [a, b] = [await makeApp(world), await makeApp(world, { platform: 'android' })]
  const add = async (app: string, version: string, type: string, facts: object) => {
    await world.admin.post(`/app/${app}/release`, {
      version,
      ...(type === 'hotfix' ? { releaseType: 'hotfix', baseTag: { name: 'v0' } } : {}),
    })
    await world.write((scope) =>
      scope
        .table('releases')
        .where({ app_id: app, version })
        .update({
          status: 'completed',
          released_at: 'completed_at' in facts ? facts.completed_at : null,
          ...facts,
        })
    )
  }
  const at = (text: string) => `2026-${text}:00.000Z`
  await add(a, '0.9.0', 'release', {
    kicked_off_at: at('01-28T00:00'),
    completed_at: at('02-10T00:00'),
  })
  await add(a, '1.0.0', 'release', {
    kicked_off_at: at('02-26T00:00'),
    submitted_at: at('03-01T10:00'),
    approved_at: at('03-01T22:00'),
    released_at: at('03-02T00:00'),
    completed_at: at('03-09T00:00'),
    target_submit_at: at('03-01T12:00'),
    target_release_at: at('03-01T00:00'),
  })
  await add(a, '1.1.0', 'release', {
    kicked_off_at: at('03-06T00:00'),
    submitted_at: at('03-10T00:00'),
    approved_at: at('03-11T12:00'),
    completed_at: at('03-12T00:00'),
    target_release_at: at('03-12T00:00'),
  })
  await add(a, '1.1.1', 'hotfix', {
    kicked_off_at: at('03-13T00:00'),
    completed_at: at('03-14T00:00'),
  })
  await add(b, '3.0.0', 'release', {
    kicked_off_at: at('03-20T00:00'),
    completed_at: at('03-21T00:00'),
  })
  return { world, a, b }
}

const MARCH = 'from=2026-03-01T00:00:00Z&to=2026-04-01T00:00:00Z'

function valuesByKey(body: {
  metrics: { key: string; value: number | null; previousValue: number | null }[]
}) {
  return Object.fromEntries(
    body.metrics.map(({ key, value, previousValue }) => [key, [value, previousValue]])
  )
}

test.group('GET /org/{orgId}/metrics', () => {
  test('200 equals the values computed by hand, for the period and the one before it', async ({
    assert,
  }) => {
    const { world, a, b } = await fixture()
    const { status, body } = await world.admin.get(`/org/${world.organizationId}/metrics?${MARCH}`)
    assert.equal(status, 200)
    assert.deepEqual(valuesByKey(body), {
      releasesCompleted: [4, 1],
      hotfixesCompleted: [1, 0],
      rollbacks: [0, 0],
      // (4 + 6 + 1 + 1) / 4 days; before: 28 January to 10 February
      leadTimeKickoffToRelease: [3, 13],
      // (12 + 36) / 2 hours
      timeInReview: [24, null],
      timeInRegression: [null, null],
      onTimeSubmissions: [100, null],
      onTimeReleases: [50, null],
      fixesPerRelease: [0, 0],
      // 2 to 12 March in app a; app b has one release only
      releaseCadence: [10, null],
      crashFreeSessions: [null, null],
      averageRating: [null, null],
    })
    const completed = body.metrics.find((each: { key: string }) => each.key === 'releasesCompleted')
    assert.sameDeepMembers(completed.apps, [
      { appId: a, value: 3 },
      { appId: b, value: 1 },
    ])
  })

  test('200 with the chosen apps only, and never those that the key cannot see', async ({
    assert,
  }) => {
    const { world, a, b } = await fixture()
    const path = `/org/${world.organizationId}/metrics?${MARCH}`
    const one = await world.admin.get(`${path}&appId=${b}`)
    assert.deepEqual(valuesByKey(one.body).releasesCompleted, [1, null])
    const reader = await world.keyed({ appIds: [a] })
    assert.deepEqual(valuesByKey((await reader.get(path)).body).releasesCompleted, [3, 1])
    assert.equal((await reader.get(`${path}&appId=${b}`)).status, 404)
  })

  test('200 measures regression testing from its first move to its last completion', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const item = await world.admin.post(`/app/${app}/regressionItem`, { title: 'Sign in' })
    await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
    const path = `/app/${app}/release/${app}:1.0.0`
    await world.admin.put(`${path}/kickoff`)
    for (const status of ['inProgress', 'passed']) {
      await world.admin.put(`${path}/checklistItem/${item.body.id}/status`, { status })
    }
    await world.admin.put(`${path}/complete`)
    const { body } = await world.admin.get(`/org/${world.organizationId}/metrics`)
    const [value] = valuesByKey(body).timeInRegression
    assert.isNumber(value)
    assert.isBelow(value!, 1)
  })

  test('200 counts merged fix requests, sessions of the health guard and ratings of reviews', async ({
    assert,
  }) => {
    const { world, a, b } = await fixture()
    await world.write(async (scope) => {
      const found = await scope.table('releases').select('id', 'app_id', 'version')
      const releaseOf = (appId: string, version: string): { appId: string; releaseId: string } => {
        const { id } = found.find((row) => row.app_id === appId && row.version === version)!
        return { appId, releaseId: id }
      }
      const [first, second, other] = [
        releaseOf(a, '1.0.0'),
        releaseOf(a, '1.1.0'),
        releaseOf(b, '3.0.0'),
      ]
      const fix = (of: typeof first, status: FixStatus) => ({
        ...of,
        id: newId('fix'),
        status,
        title: 'A fix',
        requester: scope.actor,
        approvals: [],
        rejections: [],
        requiredApprovals: 0,
        fourEyes: false,
        description: null,
        askedBy: null,
        workItemId: null,
        ticketId: null,
        commits: [],
        pullRequests: [],
        repository: null,
        wayIn: 'cherryPick' as const,
        mergeHead: null,
        formFields: [],
        triageIssueId: null,
        stepRunId: null,
        rejectionReason: null,
        createdAt: scope.now,
        approvedAt: null,
        rejectedAt: null,
        mergedAt: null,
        picks: {},
        reportedClosed: [],
        includedCode: null,
      })
      await scope.insert(fixRequests, [
        fix(first, 'merged'),
        fix(first, 'merged'),
        fix(second, 'merged'),
        fix(second, 'rejected'),
        fix(other, 'pending'),
      ])
      const rollout = (of: typeof first, metric: string, current: Sample) => ({
        ...newRollout({ ...of, integrationId: 'int_a', startedAt: scope.now }, 100, scope.now),
        judgements: [{ metric, at: scope.now, current } as Finding],
      })
      await scope.insert(rollouts, [
        rollout(first, 'crashFreeSessions', { of: 3000, bad: 30 }),
        rollout(second, 'crashFreeSessions', { of: 1000, bad: 0 }),
        rollout(other, 'crashes', { of: 1000, bad: 900 }),
      ])
    })
    for (const [appId, rating, writtenAt] of [
      [a, 5, '2026-03-01T00:00:00.000Z'],
      [a, 4, '2026-03-31T23:59:59.999Z'],
      [b, 1, '2026-03-05T00:00:00.000Z'],
      [b, 2, '2026-02-27T00:00:00.000Z'],
      [b, 3, '2026-04-01T00:00:00.000Z'],
    ] as const) {
      await makeStoreReview(world, appId, undefined, { rating, writtenAt })
    }
    const { body } = await world.admin.get(`/org/${world.organizationId}/metrics?${MARCH}`)
    const { fixesPerRelease, crashFreeSessions, averageRating } = valuesByKey(body)
    // 3 merged fixes in 4 completed releases; 30 of 4,000 sessions; (5 + 4 + 1) / 3.
    assert.deepEqual(fixesPerRelease, [0.75, 0])
    assert.deepEqual(crashFreeSessions, [99.25, null])
    assert.deepEqual(averageRating, [3.33, 2])
    const appsOf = (key: string) =>
      body.metrics.find((each: { key: string }) => each.key === key).apps
    assert.sameDeepMembers(appsOf('fixesPerRelease'), [
      { appId: a, value: 1 },
      { appId: b, value: 0 },
    ])
    assert.sameDeepMembers(appsOf('crashFreeSessions'), [
      { appId: a, value: 99.25 },
      { appId: b, value: null },
    ])
    assert.sameDeepMembers(appsOf('averageRating'), [
      { appId: a, value: 4.5 },
      { appId: b, value: 1 },
    ])
  })

  test('200 with null for every metric without data', async ({ assert }) => {
    const world = await makeWorld()
    const { body } = await world.admin.get(`/org/${world.organizationId}/metrics`)
    for (const [value, previousValue] of Object.values(valuesByKey(body))) {
      assert.isNull(value)
      assert.isNull(previousValue)
    }
  })

  test('400 for a period that ends before it begins, or an invalid date', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/metrics`
    const reversed = await world.admin.get(
      `${path}?from=2026-03-01T00:00:00Z&to=2026-02-01T00:00:00Z`
    )
    assert.equal(reversed.status, 400)
    assert.equal((await world.admin.get(`${path}?from=yesterday`)).status, 400)
  })

  test('400 if the period, or the one before it, leaves the years 0000 to 9999', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/metrics`
    for (const query of [
      'to=0000-01-01T00:00:00Z',
      'from=0001-01-01T00:00:00Z&to=9000-01-01T00:00:00Z',
    ]) {
      const { status, body } = await world.admin.get(`${path}?${query}`)
      assert.equal(status, 400, query)
      assert.equal(body.code, 'invalid_query')
    }
    const early = await world.admin.get(`${path}?to=0001-01-01T00:00:00Z`)
    assert.equal(early.status, 200)
    assert.match(early.body.from, /^0000-/)
  })
})
