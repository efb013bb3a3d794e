import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'
import { makeFeatures } from './support.js'

async function makeItems(...given: Parameters<typeof makeFeatures>) {
  const made = await makeFeatures(...given)
  const { repository, tracker, release, look, admin, path, search } = made
  repository.git('tag', 'v0.9.0', repository.commit())
  for (const key of ['SHOP-1', 'SHOP-2']) {
    tracker.set(key, { versions: ['1.0.0'] })
    repository.commit({ message: `${key} Work` })
  }
  await release('1.0.0')
  await look()
  const [second, first] = (await search('1.0.0'))
    .sort((one, other) => (one.workItem.ticket.key < other.workItem.ticket.key ? 1 : -1))
    .map(({ id }) => id as string)
  const url = `${path('1.0.0')}/frIgnoreUnignore`
  return { ...made, first, second, url, send: (body: object) => admin.post(url, body) }
}

test.group('POST /app/{appId}/release/{releaseId}/frIgnoreUnignore', () => {
  test('200 an ignored item blocks nothing, and the step follows', async ({ assert, cleanup }) => {
    const { send, first, second, step, timeline, look, search, tracker } = await makeItems(cleanup)
    const { body, status } = await send({ items: [{ id: first, ignored: true }] })
    assert.equal(status, 200)
    assert.isEmpty(body.errors)
    assert.containsSubset(body.updated, [
      { id: first, ignored: true, ready: false, reason: 'ticketNotDone' },
    ])
    assert.equal(body.updated[0].ignoredBy.type, 'apiKey')
    assert.isString(body.updated[0].ignoredAt)
    assert.deepEqual((await step('1.0.0', 'featureReadiness')).data, {
      total: 2,
      ready: 0,
      notReady: 1,
      ignored: 1,
    })
    await send({ itemIds: [second] })
    assert.equal((await step('1.0.0', 'featureReadiness')).status, 'complete')
    await send({ itemIds: [second], ignore: false })
    assert.equal((await step('1.0.0', 'featureReadiness')).status, 'inProgress')
    // Later observations leave it ignored.
    tracker.set('SHOP-1', { title: 'Called otherwise' })
    await look()
    const [item] = await search('1.0.0', '?ignored=true')
    assert.containsSubset(item, { id: first, workItem: { ticket: { title: 'Called otherwise' } } })
    const reported = (await timeline('1.0.0')).map(({ type, title }) => [type, title])
    assert.deepInclude(reported, [
      'featureReadiness.itemsIgnored',
      'Feature readiness: SHOP-1 put aside',
    ])
    assert.deepInclude(reported, [
      'featureReadiness.itemsRestored',
      'Feature readiness: SHOP-2 taken up again',
    ])
  })

  test('200 ignoring the last incomplete item makes the release ready', async ({
    assert,
    cleanup,
  }) => {
    const steps = [{ type: 'kickoff' as const }, { type: 'featureReadiness' as const }]
    const { send, first, second, world, kickOff, app } = await makeItems(cleanup, { steps })
    await kickOff('1.0.0')
    const reported = async () => (await world.events()).map(({ type }) => type)
    await send({ itemIds: [first, second] })
    assert.include(await reported(), 'release.stepsReadyToSubmit')
    await send({ itemIds: [second], ignore: false })
    // The store has approved it meanwhile.
    const at = new Date().toISOString()
    await db.from('releases').where('app_id', app).update({ submitted_at: at, approved_at: at })
    await send({ itemIds: [second] })
    assert.include(await reported(), 'release.stepsReadyToRelease')
  })

  test('200 lists the failed ones; repeated, it records nothing more', async ({
    assert,
    cleanup,
  }) => {
    const { send, first, timeline } = await makeItems(cleanup)
    const items = [
      { id: first, ignored: true },
      { id: first, ignored: false },
      { id: 'wi_absent', ignored: true },
    ]
    const { status, body } = await send({ items })
    assert.equal(status, 200)
    assert.deepEqual(
      body.updated.map(({ ignored }: any) => ignored),
      [true]
    )
    assert.deepEqual(
      body.errors.map(({ id, code }: any) => [id, code]),
      [
        [first, 'duplicate_id'],
        ['wi_absent', 'not_found'],
      ]
    )
    const before = (await timeline('1.0.0')).length
    await send({ itemIds: [first] })
    assert.lengthOf(await timeline('1.0.0'), before)
  })

  test('422 if every item failed, or none is named', async ({ assert, cleanup }) => {
    const { send } = await makeItems(cleanup)
    const failed = await send({ itemIds: ['wi_absent'] })
    assert.equal(failed.status, 422)
    assert.containsSubset(failed.body, { code: 'all_items_failed', updated: [] })
    assert.containsSubset(failed.body.errors, [{ id: 'wi_absent', code: 'not_found' }])
    const { status, body } = await send({})
    assert.deepEqual([status, body.errors[0].pointer], [422, '/items'])
    const shape = await send({ items: [{ id: 7 }], ignore: 'yes' })
    assert.sameMembers(
      shape.body.errors.map(({ pointer }: any) => pointer),
      ['/items/0/id', '/items/0/ignored', '/ignore']
    )
  })

  test('403 without the action, 404 for another organization, 409 once it is over', async ({
    assert,
    cleanup,
  }) => {
    const { send, first, world, url, admin, path } = await makeItems(cleanup)
    const reader = await world.keyed()
    assert.equal((await reader.post(url, { itemIds: [first] })).status, 403)
    const other = await makeWorld()
    assert.equal((await other.admin.post(url, { itemIds: [first] })).status, 404)
    await admin.put(`${path('1.0.0')}/skip`)
    const { status, body } = await send({ itemIds: [first] })
    assert.deepEqual([status, body.code], [409, 'release_skipped'])
  })
})
