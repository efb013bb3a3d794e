import { createHash } from 'node:crypto'
import { test } from '@japa/runner'
import { makeItem, makeTrain, setItem, typesOf, type Train } from './helpers/release_world.js'

/** Returns the entries of all pages of a list. */
async function allPages({ admin }: Train, url: string): Promise<any[]> {
  const { body, headers } = await admin.get(url)
  const next = /^<(.+)>; rel="next"$/.exec(headers.link ?? '')?.[1]
  return next ? [...body.data, ...(await allPages({ admin } as Train, next))] : body.data
}

/** Creates a release with several entries in its timeline. */
async function releaseWithPast() {
  const train = await makeTrain(['1.0.0'])
  const { admin, path } = train
  const item = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
  await admin.put(path('1.0.0'), { releaseName: 'Winter ❄ "\u2028"' })
  await admin.put(path('1.0.0') + '/kickoff')
  for (const status of ['approved', 'rejected'] as const)
    await setItem(train, '1.0.0', item, status)
  await admin.put(path('1.0.0') + '/metadata', { entries: [{ key: '7', value: 1 }] })
  await admin.put(path('1.0.0') + '/skip', { reason: 'No "reason"' })
  await admin.put(path('1.0.0') + '/unskip')
  return train
}

test.group('GET /app/{appId}/release/{releaseId}/timelineEvents', () => {
  test('200 lists all events with their actors, newest first', async ({ assert }) => {
    const { timeline, app } = await releaseWithPast()
    const events = await timeline('1.0.0')
    assert.deepEqual(typesOf(events).reverse().slice(0, 4), [
      'release.created',
      'checklistItem.added',
      'release.updated',
      'release.kickedOff',
    ])
    assert.includeMembers(typesOf(events), [
      'checklistItem.statusChanged',
      'metadata.updated',
      'release.skipped',
      'release.unskipped',
      'release.stepsReadyToSubmit',
    ])
    for (const [index, event] of events.entries()) {
      assert.equal(event.position, events.length - index)
      assert.equal(event.releaseId, `${app}:1.0.0`)
      assert.containsSubset(event.actor, { type: 'apiKey', name: 'admin' })
      assert.isNotEmpty(event.title)
    }
  })

  test('200 the hashes form a chain from the first to the last entry', async ({ assert }) => {
    const { timeline } = await releaseWithPast()
    const events = (await timeline('1.0.0', '?limit=200')).reverse()
    let previous = events[0].previousHash
    for (const event of events) {
      const { id, type, title, occurredAt, actor, stepConfigId, data } = event
      const content = JSON.stringify({ id, type, title, occurredAt, actor, stepConfigId, data })
      assert.equal(event.previousHash, previous, `before ${event.position}`)
      assert.equal(
        event.hash,
        createHash('sha256')
          .update(previous + content)
          .digest('hex')
      )
      previous = event.hash
    }
  })

  test('200 pages contain every entry once, even while others are added', async ({ assert }) => {
    const train = await releaseWithPast()
    const { admin, path, timeline } = train
    const before = await timeline('1.0.0')
    const url = `${path('1.0.0')}/timelineEvents?limit=2`
    const first = await admin.get(url)
    await admin.put(path('1.0.0'), { releaseName: 'Later' })
    const next = /^<(.+)>/.exec(first.headers.link)![1]
    const rest = await allPages(train, next)
    assert.deepEqual([...first.body.data, ...rest], before)
    assert.deepEqual(await allPages(train, url), await timeline('1.0.0'))
  })

  test('200 filters by type and by time, both ends included', async ({ assert }) => {
    const { timeline } = await releaseWithPast()
    const all = await timeline('1.0.0')
    assert.deepEqual(typesOf(await timeline('1.0.0', '?type=release.skipped')), ['release.skipped'])
    assert.deepEqual(await timeline('1.0.0', '?type=release.released'), [])
    const { occurredAt } = all[3]
    assert.deepEqual(
      await timeline('1.0.0', `?from=${occurredAt}`),
      all.filter((event) => event.occurredAt >= occurredAt)
    )
    assert.deepEqual(
      await timeline('1.0.0', `?to=${occurredAt}`),
      all.filter((event) => event.occurredAt <= occurredAt)
    )
  })

  test('200 stays with the release when its version changes', async ({ assert }) => {
    const { admin, path, app, timeline } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0'), { version: '2.0.0' })
    const events = await timeline('2.0.0')
    assert.deepEqual(typesOf(events), ['release.updated', 'release.created'])
    assert.equal(events[1].releaseId, `${app}:2.0.0`)
    assert.containsSubset(events[0].data, {
      from: { version: '1.0.0' },
      to: { version: '2.0.0' },
    })
  })

  test('200 a cursor stays valid when the version changes', async ({ assert }) => {
    const train = await releaseWithPast()
    const { admin, path, app, timeline } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0'), { releaseName: 'Winter' })
    const first = await admin.get(`${path('1.0.0')}/timelineEvents?limit=1`)
    await admin.put(path('1.0.0'), { version: '2.0.0' })
    const moved = await admin.get(/^<(.+)>/.exec(first.headers.link)![1])
    assert.equal(moved.status, 308)
    assert.include(moved.headers.location, `${app}:2.0.0/timelineEvents?`)
    const { body } = await admin.get(moved.headers.location)
    assert.deepEqual(body.data, [(await timeline('2.0.0')).at(-1)])
    const { nextCursor } = (await admin.get(`${path('2.0.0')}/timelineEvents?limit=1`)).body
      .pagination
    const other = `${train.path('1.0.0')}/timelineEvents?cursor=${nextCursor}`
    assert.equal((await train.admin.get(other)).status, 400)
  })

  test('400 for a broken cursor, limit or time', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0', '1.1.0'])
    await admin.put(path('1.0.0') + '/kickoff')
    const { body } = await admin.get(`${path('1.0.0')}/timelineEvents?limit=1`)
    const { nextCursor } = body.pagination
    for (const url of [
      `${path('1.0.0')}/timelineEvents?cursor=x`,
      `${path('1.0.0')}/timelineEvents?limit=x`,
      `${path('1.0.0')}/timelineEvents?from=x`,
      `${path('1.0.0')}/timelineEvents?cursor=${nextCursor}&type=release.created`,
      `${path('1.1.0')}/timelineEvents?cursor=${nextCursor}`,
    ]) {
      assert.equal((await admin.get(url)).status, 400, url)
    }
  })

  test('404 for another organization', async ({ assert }) => {
    const { admin } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    assert.equal((await admin.get(stranger.path('1.0.0') + '/timelineEvents')).status, 404)
  })
})

test.group('GET /app/{appId}/release/{releaseId}/stepConfig/{stepConfigId}/timelineEvents', () => {
  test('200 lists the events of one step, paged and filtered', async ({ assert }) => {
    const train = await releaseWithPast()
    const { admin, path, step, timeline } = train
    const { stepConfigId } = await step('1.0.0', 'approvals')
    const url = `${path('1.0.0')}/stepConfig/${stepConfigId}/timelineEvents`
    const { status, body } = await admin.get(url)
    assert.equal(status, 200)
    assert.isNotEmpty(body.data)
    assert.deepEqual(
      body.data,
      (await timeline('1.0.0')).filter((event) => event.stepConfigId === stepConfigId)
    )
    assert.includeMembers(typesOf(body.data), [
      'checklistItem.statusChanged',
      'releaseStep.statusChanged',
    ])
    assert.deepEqual(await allPages(train, `${url}?limit=1`), body.data)
    const items = await admin.get(`${url}?type=checklistItem.statusChanged`)
    assert.lengthOf(items.body.data, 2)
  })

  test('404 for a step config of another release', async ({ assert }) => {
    const { admin, path } = await makeTrain(['1.0.0'])
    const stranger = await makeTrain(['1.0.0'])
    const { stepConfigId } = await stranger.step('1.0.0', 'kickoff')
    for (const id of [stepConfigId, 'sc_x']) {
      const url = `${path('1.0.0')}/stepConfig/${id}/timelineEvents`
      assert.equal((await admin.get(url)).status, 404)
    }
  })
})
