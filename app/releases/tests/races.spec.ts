import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import type { ApiAnswer } from '#tests/support/api'
import { makeItem, makeTrain, reported, typesOf } from './helpers/release_world.js'
import { unsoundness } from './helpers/soundness.js'

const CLIENTS = Array.from({ length: 20 }, (_, index) => index)

/** Sends the requests of all clients at the same time. */
const race = <Body>(run: (index: number) => Promise<ApiAnswer<Body>>) =>
  Promise.all(CLIENTS.map(run))

/** Counts the answers by status. */
function tally(results: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of results) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

const count = (events: readonly { type: string }[], type: string) =>
  typesOf(events).filter((each) => each === type).length

test.group('20 clients at once', () => {
  test('create a version only once', async ({ assert }) => {
    const { world, admin, app } = await makeTrain()
    const spellings = ['1', '1.0', '1.0.0', '01.0.0']
    const responses = await race((index) =>
      admin.post(`/app/${app}/release`, { version: spellings[index % 4] })
    )
    assert.deepEqual(tally(responses), { 201: 1, 409: 19 })
    assert.deepEqual(typesOf(await reported(world)), ['release.created'])
    assert.isEmpty(await unsoundness(world))
  })

  test('create versions of two apps with one active release each and gapless events', async ({
    assert,
  }) => {
    const { world, admin, app } = await makeTrain()
    const other = await makeApp(world, { platform: 'android' })
    const responses = await race((index) =>
      admin.post(`/app/${index % 2 ? app : other}/release`, { version: `1.${index}.0` })
    )
    assert.deepEqual(tally(responses), { 201: 20 })
    assert.equal(count(await reported(world), 'release.created'), 20)
    for (const each of [app, other]) {
      const { body } = await admin.get(`/v2/app/${each}/releases?status=active`)
      assert.lengthOf(body.data, 1)
    }
    assert.isEmpty(await unsoundness(world))
  })

  test('create versions whose pilots take turns evenly', async ({ assert }) => {
    const { world, admin, app } = await makeTrain()
    for (const name of ['ada', 'grace', 'linus', 'barbara']) {
      await makeUser(world, `${name}@acme.example`, ['Release Pilots'])
    }
    await race((index) => admin.post(`/app/${app}/release`, { version: `1.${index}.0` }))
    const pilots = (await reported(world)).map(({ payload }) => payload.release.releasePilotId)
    for (const turn of CLIENTS.slice(0, 17)) {
      assert.lengthOf(new Set(pilots.slice(turn, turn + 4)), 4)
    }
  })

  test('skip, unskip and kick off a release with every edge recorded once', async ({ assert }) => {
    const { world, admin, path, statuses } = await makeTrain(['1.0.0', '1.1.0', '1.2.0'])
    const asks = ['skip', 'unskip', 'kickoff', 'skip', 'unskip']
    const responses = await race((index) => admin.put(`${path('1.0.0')}/${asks[index % 5]}`))
    for (const { status } of responses) assert.include([200, 409], status)
    const events = await reported(world)
    assert.isAtMost(count(events, 'release.kickedOff'), 1)
    assert.include(['active', 'upcoming', 'skipped'], (await statuses())['1.0.0'])
    assert.isEmpty(await unsoundness(world))
  })

  test('kick off a release only once', async ({ assert }) => {
    const { world, admin, path } = await makeTrain(['1.0.0'])
    const responses = await race(() => admin.put(`${path('1.0.0')}/kickoff`))
    assert.deepEqual(tally(responses), { 200: 20 })
    assert.lengthOf(new Set(responses.map(({ text }) => text)), 1)
    const events = await reported(world)
    assert.equal(count(events, 'release.kickedOff'), 1)
    assert.equal(count(events, 'release.stepsReadyToSubmit'), 1)
    assert.isEmpty(await unsoundness(world))
  })

  test('complete and skip the releases of a train, of which one is active at the end', async ({
    assert,
  }) => {
    const versions = CLIENTS.slice(0, 6).map((index) => `1.${index}.0`)
    const { world, admin, path, statuses } = await makeTrain(versions)
    const responses = await race((index) =>
      admin.put(`${path(versions[index % 5])}/${index % 2 ? 'skip' : 'complete'}`)
    )
    for (const { status } of responses) assert.include([200, 409], status)
    const active = Object.values(await statuses()).filter((status) => status === 'active')
    assert.lengthOf(active, 1)
    assert.isEmpty(await unsoundness(world))
  })

  test('write metadata: the last write wins as a whole, and each is in the timeline', async ({
    assert,
  }) => {
    const { world, admin, path, timeline } = await makeTrain(['1.0.0'])
    const entriesOf = (index: number) => [
      { key: 'who', value: index },
      { key: 'again', value: `client ${index}` },
    ]
    const url = `${path('1.0.0')}/metadata`
    const responses = await race((index) => admin.put(url, { entries: entriesOf(index) }))
    assert.deepEqual(tally(responses), { 200: 20 })
    for (const [index, { body }] of responses.entries()) {
      assert.deepEqual(body, { entries: entriesOf(index) })
    }
    const { body } = await admin.get(url)
    assert.deepEqual(body.entries, entriesOf(body.entries[0].value))
    assert.equal(count(await timeline('1.0.0'), 'metadata.updated'), 20)
    assert.isEmpty(await unsoundness(world))
  })

  test('write different fields without losing one', async ({ assert }) => {
    const { world, admin, path, detail, timeline } = await makeTrain(['1.0.0'])
    const inputs = [
      { releaseName: 'Winter' },
      { releaseDescription: 'Snow' },
      { targetKickoffAt: '2026-12-01T00:00:00.000Z' },
      { targetReleaseAt: '2026-12-05T00:00:00.000Z' },
    ]
    const responses = await race((index) => admin.put(path('1.0.0'), inputs[index % 4]))
    assert.deepEqual(tally(responses), { 200: 20 })
    assert.containsSubset(await detail('1.0.0'), Object.assign({}, ...inputs))
    assert.equal(count(await reported(world), 'release.targetDateUpdated'), 2)
    assert.equal(count(await timeline('1.0.0'), 'release.updated'), 2)
    assert.isEmpty(await unsoundness(world))
  })

  test('update with the same tag in If-Match, and exactly one wins', async ({ assert }) => {
    const { world, admin, app, path, detail } = await makeTrain(['1.0.0'])
    const url = `/v2/app/${app}/releases/${app}:1.0.0`
    const { etag } = (await admin.get(url)).headers
    const responses = await race((index) =>
      admin.put(
        path('1.0.0'),
        { releaseName: `Client ${index}` },
        { headers: { 'if-match': etag } }
      )
    )
    assert.deepEqual(tally(responses), { 200: 1, 412: 19 })
    const winner = responses.findIndex(({ status }) => status === 200)
    assert.equal((await detail('1.0.0')).releaseName, `Client ${winner}`)
    assert.isEmpty(await unsoundness(world))
  })

  test('increment a counter with If-Match and retries without losing a count', async ({
    assert,
  }) => {
    const { world, admin, path } = await makeTrain(['1.0.0'])
    const url = `${path('1.0.0')}/metadata`
    const countUp = async (): Promise<ApiAnswer<unknown>> => {
      const { headers, body } = await admin.get(url)
      const value = (body.entries[0]?.value ?? 0) + 1
      const response = await admin.put(
        url,
        { entries: [{ key: 'count', value }] },
        { headers: { 'if-match': headers.etag } }
      )
      return response.status === 412 ? countUp() : response
    }
    assert.deepEqual(tally(await race(countUp)), { 200: 20 })
    assert.deepEqual((await admin.get(url)).body, { entries: [{ key: 'count', value: 20 }] })
    assert.isEmpty(await unsoundness(world))
  })

  test('change the version: one succeeds, and the others are redirected', async ({ assert }) => {
    const { world, admin, app, path } = await makeTrain(['1.0.0'])
    const responses = await race((index) => admin.put(path('1.0.0'), { version: `2.${index}.0` }))
    assert.deepEqual(tally(responses), { 200: 1, 308: 19 })
    const winner = responses.find(({ status }) => status === 200)!
    const { id } = winner.body as { id: string }
    for (const { status, headers } of responses) {
      if (status === 308) assert.equal(headers.location, `/app/${app}/release/${id}`)
    }
    assert.isEmpty(await unsoundness(world))
  })

  test('delete and update a release, of which nothing remains', async ({ assert }) => {
    const { world, admin, app, path, statuses } = await makeTrain(['1.0.0', '1.1.0'])
    const responses = await race((index) =>
      index % 2
        ? admin.delete(path('1.0.0'))
        : admin.put(path('1.0.0'), { releaseName: `Client ${index}` })
    )
    for (const { status } of responses) assert.include([200, 204, 404], status)
    assert.equal(tally(responses)[204], 1)
    assert.deepEqual(await statuses(), { '1.1.0': 'active' })
    const left = await db
      .from('release_steps')
      .where('organization_id', world.organizationId)
      .whereNotIn('release_id', db.from('releases').where('app_id', app).select('id'))
    assert.isEmpty(left)
    assert.isEmpty(await unsoundness(world))
  })

  test('approve one item each: every vote is recorded, and step and release change once', async ({
    assert,
  }) => {
    const train = await makeTrain(['1.0.0'])
    const { world, admin, path, detail } = train
    const items: string[] = []
    for (const index of CLIENTS) {
      const title = `Approval ${index}`
      items.push(await makeItem(train, { kind: 'approval', stepType: 'approvals', title }))
    }
    await admin.put(path('1.0.0') + '/kickoff')
    const before = (await reported(world)).length
    const set = (status: string) =>
      race((index) =>
        admin.put(`${path('1.0.0')}/checklistItem/${items[index]}/status`, { status })
      )
    assert.deepEqual(tally(await set('approved')), { 200: 20 })
    const events = (await reported(world)).slice(before)
    assert.equal(count(events, 'checklistItem.statusChanged'), 20)
    assert.deepEqual(
      events.flatMap(({ type, payload }) =>
        type === 'releaseStep.statusChanged'
          ? [[payload.previousStatus, payload.releaseSteps[0].status]]
          : []
      ),
      [
        ['notStarted', 'inProgress'],
        ['inProgress', 'complete'],
      ]
    )
    assert.equal(count(events, 'release.stepsReadyToSubmit'), 1)
    assert.equal(events.at(-1)!.type, 'release.stepsReadyToSubmit')
    assert.isTrue((await detail('1.0.0')).readyToSubmit)
    assert.deepEqual(tally(await set('approved')), { 200: 20 })
    assert.lengthOf(await reported(world), before + events.length)
    assert.isEmpty(await unsoundness(world))
  })
})
