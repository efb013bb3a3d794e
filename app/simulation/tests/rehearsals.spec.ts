import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'
import { passMinutes, tidy, workThrough } from '#stores/tests/support'
import { forgetRehearsals } from '../rehearsals/forget.js'
import { endRehearsal, storeProgress } from '../rehearsals/rehearsals.js'
import { releasesOf } from '../rehearsals/under_way.js'
import { MAX_KEPT, SCENARIO_NAMES } from '../rehearsals/vocabulary.js'
import { namesInBox } from '../scenarios/box.js'

const steps = (['kickoff', 'approvals', 'submission'] as const).map((type) => ({
  ...{ name: type, type },
  releaseTypes: { standard: { required: true }, hotfix: { required: true } },
}))

async function given() {
  const world = await makeWorld()
  const appId = await makeApp(world, { platform: 'android', steps })
  const path = `/app/${appId}/rehearsal`
  return {
    ...{ world, appId, path },
    start: (body: object = {}) => world.admin.post(path, body),
    get: (id: string) => world.admin.get(`${path}/${id}`),
    stop: (id: string) => world.admin.post(`${path}/${id}/stop`),
  }
}

/** Counts rows of the organization by table, without those of rehearsals. */
async function rowsOf({ organizationId }: World) {
  const tables = ['releases', 'events', 'integration_calls', 'connections', 'simulated_worlds']
  const counts = tables.map(async (table) => {
    const [{ count }] = await db
      .from(table)
      .where('organization_id', organizationId)
      .count('* as count')
    return [table, Number(count)]
  })
  return Object.fromEntries(await Promise.all(counts))
}

test.group('startRehearsal', (group) => {
  group.each.teardown(tidy)

  test('201 plays it in a worker, changes nothing of the app, and stores the story', async ({
    assert,
  }) => {
    const { world, appId, start, get, path } = await given()
    await world.admin.post(`/app/${appId}/release`, { version: '4.2.0' })
    await world.admin.put(`/app/${appId}/release/${appId}:4.2.0/complete`)
    const before = await rowsOf(world)
    const { status, body } = await start({ weeks: 1, scenario: 'rejected' })
    assert.equal(status, 201)
    assert.containsSubset(body, {
      ...{ appId, state: 'waiting', scenario: 'rejected', weeks: 1 },
      ...{ playedTo: null, result: null, failure: null, endedAt: null },
      createdBy: { name: 'admin' },
    })
    await workThrough(world.organizationId, 1)
    const { body: played } = await get(body.id)
    assert.equal(played.state, 'played', played.failure)
    assert.deepEqual(await rowsOf(world), before)

    const { story, entries, begin, end } = played.result
    assert.equal(begin, body.beginsAt)
    assert.closeTo((Date.parse(end) - Date.parse(begin)) / 86_400_000, 7, 0.5)
    // It begins with the next release.
    const [first] = story.releases
    assert.equal(first.version, '4.3.0')
    assert.isNotNull(first.kickedOffAt)
    assert.equal(first.spans[0].from, first.kickedOffAt)
    for (const [index, span] of first.spans.entries()) {
      assert.isBelow(Date.parse(span.from), Date.parse(span.to))
      if (index > 0) assert.equal(span.from, first.spans[index - 1].to)
    }
    assert.isNotEmpty(entries)
    assert.isUndefined(played.result.audit)
    // Nothing would have been sent, because there is no endpoint.
    assert.isEmpty(played.result.sent)
    // Lists leave out the result.
    const { body: all } = await world.admin.get(path)
    assert.deepEqual(
      all.map((each: { id: string }) => each.id),
      [body.id]
    )
    assert.notProperty(all[0], 'result')
  })

  test('409 while the organization has another one of any app, until it is stopped', async ({
    assert,
  }) => {
    const { world, appId, start, stop } = await given()
    const { body } = await start()
    assert.containsSubset(body, { weeks: 3, scenario: 'happy-train' })
    const other = await makeApp(world)
    for (const response of [await start(), await world.admin.post(`/app/${other}/rehearsal`, {})]) {
      assert.deepEqual([response.status, response.body.code], [409, 'rehearsal_under_way'])
      assert.include(response.body.detail, `that of ${appId}`)
    }
    const stopped = await stop(body.id)
    assert.containsSubset(stopped.body, { state: 'stopped', result: null })
    assert.isNotNull(stopped.body.endedAt)
    assert.deepEqual((await stop(body.id)).body, stopped.body)
    assert.equal((await start()).status, 201)
    // A stopped rehearsal is not played.
    const left = await db
      .from('jobs')
      .where({ kind: 'simulation.rehearse', subject: body.id, state: 'planned' })
    assert.isEmpty(left)
  })

  test('422 for invalid weeks and unknown scenarios, and nothing is planned', async ({
    assert,
  }) => {
    const { world, start, path } = await given()
    for (const [body, pointer] of [
      [{ weeks: 0 }, '/weeks'],
      [{ weeks: 9 }, '/weeks'],
      [{ weeks: 1.5 }, '/weeks'],
      [{ scenario: 'nowhere' }, '/scenario'],
      [{ scenario: '../../etc/passwd' }, '/scenario'],
    ] as const) {
      const response = await start(body)
      assert.equal(response.status, 422, JSON.stringify(body))
      assert.equal(response.body.errors[0].pointer, pointer)
    }
    assert.deepEqual((await world.admin.get(path)).body, [])
  })

  test('403 without the right to create releases, 404 for another organization', async ({
    assert,
  }) => {
    const [own, other] = [await given(), await given()]
    const reader = await own.world.keyed({ groups: [] })
    const { body } = await own.start()
    assert.equal((await reader.post(own.path, {})).status, 403)
    assert.equal((await reader.post(`${own.path}/${body.id}/stop`)).status, 403)
    assert.equal((await reader.get(`${own.path}/${body.id}`)).status, 200)
    assert.equal((await other.world.admin.post(own.path, {})).status, 404)
    assert.equal((await other.world.admin.get(own.path)).status, 404)
    for (const path of [`${own.path}/${body.id}`, `${other.path}/${body.id}`]) {
      assert.equal((await other.world.admin.get(path)).status, 404)
      assert.equal((await other.world.admin.post(`${path}/stop`)).status, 404)
    }
    assert.equal((await own.get(body.id)).body.state, 'waiting')
  })

  test('shows its progress until somebody stops it, and ignores a later result', async ({
    assert,
  }) => {
    const { world, start, get, stop } = await given()
    const { body } = await start({ weeks: 1 })
    const at = '2026-11-20T08:00:00.000Z'
    assert.isTrue(await world.write((scope) => storeProgress(scope, body.id, at)))
    assert.containsSubset((await get(body.id)).body, { state: 'playing', playedTo: at })
    await stop(body.id)
    assert.isFalse(await world.write((scope) => storeProgress(scope, body.id, at)))
    // The result of the play comes too late.
    await world.write((scope) => endRehearsal(scope, body.id, { state: 'failed', failure: 'late' }))
    assert.containsSubset((await get(body.id)).body, { state: 'stopped', failure: null })
  })

  test('keeps the latest ones of an app for four weeks', async ({ assert }) => {
    const { world, start, stop, path } = await given()
    const ids: string[] = []
    for (let count = 0; count < MAX_KEPT + 2; count++) {
      const { body } = await start()
      ids.push(body.id)
      await stop(body.id)
      passMinutes(1)
    }
    const kept = async () =>
      (await world.admin.get(path)).body.map((each: { id: string }) => each.id)
    assert.deepEqual(await kept(), ids.slice(2).reverse())
    passMinutes(29 * 24 * 60)
    const { handler } = forgetRehearsals as {
      handler: { run: (on: () => boolean) => Promise<unknown> }
    }
    await handler.run(() => true)
    assert.deepEqual(await kept(), [])
  })
})

test.group('The releases that a rehearsal begins with', () => {
  test('come after the newest that was not skipped', async ({ assert }) => {
    const { world, appId } = await given()
    const at = (version: string) => `/app/${appId}/release/${appId}:${version}`
    for (const [version, end] of [
      ['4.2.0', 'complete'],
      ['4.3.0', 'skip'],
    ]) {
      await world.admin.post(`/app/${appId}/release`, { version })
      const { status } = await world.admin.put(`${at(version)}/${end}`)
      assert.equal(status, 200)
    }
    const { after, version } = await world.write((scope) => releasesOf(scope, appId))
    assert.deepEqual([after, version], ['4.2.0', '4.4.0'])
  })
})

test.group('The scenarios that pages offer', () => {
  test('are those of the box', async ({ assert }) => {
    assert.sameMembers(SCENARIO_NAMES as string[], await namesInBox())
  })
})
