import { test } from '@japa/runner'
import { makeTrain } from '#releases/tests/helpers/release_world'

async function makeIssues() {
  const train = await makeTrain(['1.0.0'])
  const path = `/app/${train.app}/triageIssue`
  return {
    ...train,
    issues: path,
    create: (body: object) => train.admin.post(path, { title: 'It crashes', ...body }),
    reported: async () =>
      (await train.admin.get(`/app/${train.app}/timelineEvents`)).body.data as any[],
  }
}

const errorsOf = ({ body }: { body: any }): string[] =>
  body.errors.map(({ pointer, parameter, code }: any) => `${pointer ?? parameter} ${code}`)

test.group('POST /app/{appId}/triageIssue', () => {
  test('201 with defaults, and with all that can be said', async ({ assert }) => {
    const { create, app, admin, issues } = await makeIssues()
    const { status, body, headers } = await create({ title: '  It crashes  ' })
    assert.equal(status, 201)
    assert.equal(headers.location, `${issues}/${body.id}`)
    assert.containsSubset(body, {
      appId: app,
      title: 'It crashes',
      description: null,
      source: 'api',
      sourceUrl: null,
      severity: 'medium',
      status: 'open',
      affectedVersions: [],
      releaseId: null,
      metrics: { eventCount: null, userCount: null, firstSeenAt: null, lastSeenAt: null },
      fixRequestId: null,
    })
    const whole = {
      title: 'Crash at start',
      description: 'Since yesterday.',
      source: 'stabilityMonitoring',
      sourceUrl: 'https://crashes.acme.example/1',
      severity: 'critical',
      affectedVersions: ['1.0.0', '0.9 (77)'],
      releaseId: `${app}:1.0.0`,
      metrics: { eventCount: 5, userCount: 0, firstSeenAt: '2026-11-01T02:00:00+02:00' },
    }
    const { body: made } = await create(whole)
    assert.containsSubset(made, {
      ...whole,
      metrics: { ...whole.metrics, firstSeenAt: '2026-11-01T00:00:00.000Z', lastSeenAt: null },
    })
    assert.deepEqual((await admin.get(`${issues}/${made.id}`)).body, made)
  })

  test('the timeline of the app names who recorded it', async ({ assert }) => {
    const { create, reported } = await makeIssues()
    const { body } = await create({ severity: 'high' })
    const entry = (await reported()).find(({ type }) => type === 'triageIssue.created')
    assert.containsSubset(entry, {
      title: 'Triage issue: It crashes',
      actor: { type: 'apiKey', name: 'admin' },
      data: { triageIssueId: body.id, source: 'api', severity: 'high' },
    })
  })

  test('200 for an issue that is open under the same title and address, with the new values', async ({
    assert,
  }) => {
    const { create, admin, issues, reported } = await makeIssues()
    const sourceUrl = 'https://crashes.acme.example/1'
    const { body: made } = await create({ sourceUrl, affectedVersions: ['1.0.0'] })
    const metrics = { eventCount: 7, userCount: null, lastSeenAt: '2026-11-02T00:00:00.000Z' }
    const { status, body } = await create({ sourceUrl, affectedVersions: ['1.1.0'], metrics })
    assert.deepEqual([status, body.id], [200, made.id])
    assert.deepEqual(body.affectedVersions, ['1.0.0', '1.1.0'])
    assert.deepEqual(body.metrics, {
      ...made.metrics,
      eventCount: 7,
      lastSeenAt: metrics.lastSeenAt,
    })
    await create({ sourceUrl, affectedVersions: ['1.0.0'], metrics })
    assert.lengthOf(
      (await reported()).filter(({ type }) => type === 'triageIssue.updated'),
      1
    )
    // Another title, no address, or an issue that is closed makes another issue.
    assert.equal((await create({ sourceUrl, title: 'It hangs' })).status, 201)
    assert.equal((await create({})).status, 201)
    assert.equal((await create({})).status, 201)
    await admin.put(`${issues}/${made.id}`, { status: 'ignored' })
    assert.equal((await create({ sourceUrl })).status, 201)
  })

  test('422 with the place of every error, 404 for an unknown release; nothing is stored', async ({
    assert,
  }) => {
    const { create, admin, app, issues } = await makeIssues()
    const response = await create({
      title: ' ',
      source: 'rumour',
      sourceUrl: 'ftp://a',
      affectedVersions: ['1', '1'],
      metrics: {
        eventCount: -1,
        firstSeenAt: '2026-11-02T00:00:00Z',
        lastSeenAt: '2026-11-01T00:00:00Z',
      },
    })
    assert.equal(response.status, 422)
    assert.sameMembers(errorsOf(response), [
      '/title min_length',
      '/source enum',
      '/sourceUrl url',
      '/affectedVersions distinct',
      '/metrics/eventCount min',
      '/metrics/lastSeenAt period',
    ])
    assert.equal((await create({ releaseId: `${app}:9.9.9` })).status, 404)
    assert.isEmpty((await admin.get(issues)).body.data)
  })

  test('401, 403 without ManageTriageIssues, 404 of another organization', async ({ assert }) => {
    const { world, issues, create, admin } = await makeIssues()
    const { body } = await create({})
    const key = await world.keyed({ groups: ['Marketing'] })
    const refused = await key.post(issues, { title: 'x' })
    assert.deepEqual([refused.status, refused.body.missingActions], [403, ['ManageTriageIssues']])
    assert.equal((await key.put(`${issues}/${body.id}`, { severity: 'low' })).status, 403)
    assert.equal((await key.get(`${issues}/${body.id}`)).status, 200)
    const stranger = await makeIssues()
    assert.equal((await stranger.admin.get(`${issues}/${body.id}`)).status, 404)
    assert.equal((await admin.get(`${stranger.issues}/${body.id}`)).status, 404)
  })
})

test.group('GET /app/{appId}/triageIssue', () => {
  test('200 page by page, each issue once, and by source and status', async ({ assert }) => {
    const { create, admin, issues } = await makeIssues()
    const ids: string[] = []
    for (const source of ['manual', 'api', 'appReviews', 'manual']) {
      ids.push((await create({ source })).body.id)
    }
    await admin.put(`${issues}/${ids[0]}`, { status: 'ignored' })
    const seen: string[] = []
    let url = `${issues}?limit=3`
    while (url) {
      const { body, headers } = await admin.get(url)
      seen.push(...body.data.map(({ id }: any) => id))
      url = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1] ?? ''
    }
    assert.sameMembers(seen, ids)
    assert.lengthOf(seen, 4)
    const found = async (query: string) =>
      (await admin.get(`${issues}?${query}`)).body.data.map(({ id }: any) => id)
    assert.sameMembers(await found('source=manual'), [ids[0], ids[3]])
    assert.sameMembers(await found('source=manual&status=open'), [ids[3]])
    assert.sameMembers(await found('status=ignored'), [ids[0]])
    assert.isEmpty(await found('status=resolved'))
    assert.equal((await admin.get(`${issues}?status=lost`)).status, 422)
    const [app] = /^\/app\/[^/]+/.exec(issues)!
    const { body: release } = await admin.post(`${app}/release`, { version: '7.0.0' })
    const { id: ofRelease } = (await create({ releaseId: release.id })).body
    assert.deepEqual(await found(`releaseId=${release.id}`), [ofRelease])
    assert.deepEqual(await found(`releaseId=${release.id}&source=manual`), [])
    await admin.put(`${app}/release/${release.id}`, { version: '7.0.1' })
    assert.deepEqual(await found(`releaseId=${release.id}`), [ofRelease])
    assert.equal((await admin.get(`${issues}?releaseId=${release.id}9`)).status, 404)
    const { body } = await admin.get(`${issues}?limit=1`)
    const { nextCursor } = body.pagination
    const moved = await admin.get(`${issues}?source=manual&cursor=${nextCursor}`)
    assert.deepEqual([moved.status, moved.body.code], [400, 'invalid_cursor'])
  })
})

test.group('PUT /app/{appId}/triageIssue/{issueId}', () => {
  test('200 changes the given members, once; 412 for a stale tag', async ({ assert }) => {
    const { create, admin, issues, reported } = await makeIssues()
    const { body: made, headers } = await create({ description: 'Why?' })
    const path = `${issues}/${made.id}`
    const options = { headers: { 'if-match': headers.etag } }
    const { status, body } = await admin.put(path, { status: 'resolved' }, options)
    assert.equal(status, 200)
    assert.deepEqual(body, { ...made, status: 'resolved', updatedAt: body.updatedAt })
    assert.equal((await admin.put(path, { status: 'open' }, options)).status, 412)
    await admin.put(path, { status: 'resolved', description: 'Why?' })
    const entries = (await reported()).filter(({ type }) => type === 'triageIssue.updated')
    assert.deepEqual(
      entries.map(({ data }) => data),
      [{ triageIssueId: made.id, from: { status: 'open' }, to: { status: 'resolved' } }]
    )
    assert.isNull((await admin.put(path, { description: null })).body.description)
  })

  test('422 for a status that is not set by hand; 404 for an unknown issue', async ({ assert }) => {
    const { create, admin, issues } = await makeIssues()
    const { body } = await create({})
    const response = await admin.put(`${issues}/${body.id}`, { status: 'fixRequested' })
    assert.equal(response.status, 422)
    assert.deepEqual(errorsOf(response), ['/status enum'])
    assert.equal((await admin.put(`${issues}/issue_none`, { status: 'open' })).status, 404)
  })
})
