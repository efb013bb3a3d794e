import { test } from '@japa/runner'
import { makeFeatures } from './support.js'

/*
 * Tickets get other keys as they, or their projects, move; code goes on naming the old ones.
 */

async function makeMoved(cleanup: Parameters<typeof makeFeatures>[0]) {
  const given = await makeFeatures(cleanup, { projects: ['SHOP', 'STORE'] })
  const { repository, tracker, release } = given
  repository.git('tag', 'v0.9.0', repository.commit())
  repository.commit({ message: 'SHOP-1 Log in' })
  tracker.set('SHOP-1', { done: true, versions: ['1.0.0'] })
  await release('1.0.0')
  return given
}

test.group('Tickets that were moved', () => {
  test('are one item, whichever of their keys the code names', async ({ assert, cleanup }) => {
    const { repository, tracker, look, items } = await makeMoved(cleanup)
    tracker.move('SHOP-1', 'STORE-7')
    repository.commit({ message: 'STORE-7 Log out' })
    await look()
    assert.deepEqual(await items('1.0.0'), { 'STORE-7': 'merged ready' })
  })

  test('are found by either key when somebody searches for a change', async ({
    assert,
    cleanup,
  }) => {
    const { tracker, look, admin, app, kickOff } = await makeMoved(cleanup)
    await kickOff('1.0.0')
    await look()
    tracker.move('SHOP-1', 'STORE-7')
    await look()
    for (const key of ['SHOP-1', 'store-7']) {
      const { status, body } = await admin.get(`/app/${app}/whereIs?ticket=${key}`)
      assert.equal(status, 200)
      assert.lengthOf(body.apps[0].releases, 1, key)
    }
  })

  test('are also found by a short form that the code uses', async ({ assert, cleanup }) => {
    const { repository, tracker, release, look, items } = await makeFeatures(cleanup, {
      projects: ['acme/my-app'],
      affiliations: [],
    })
    repository.git('tag', 'v0.9.0', repository.commit())
    repository.commit({ message: 'Pay by card, closes #12' })
    tracker.set('#12', { done: true })
    tracker.move('#12', 'acme/my-app#12')
    await release('1.0.0')
    await look()
    assert.deepEqual(await items('1.0.0'), { 'acme/my-app#12': 'merged ready' })
  })

  test('stay ignored when two items turn out to be one, until somebody restores it', async ({
    assert,
    cleanup,
  }) => {
    const { repository, tracker, look, search, admin, path, world } = await makeMoved(cleanup)
    tracker.set('SHOP-2', { done: true })
    repository.commit({ message: 'SHOP-2 Pay' })
    await look()
    tracker.move('SHOP-2', 'STORE-8')
    // Data under the old key is valid for a while.
    repository.commit({ message: 'STORE-8 Refund' })
    await look()
    const found = async () => (await search('1.0.0')).filter(({ ready }) => !ready)
    const keyOf = ({ workItem }: any) => workItem.ticket.key
    const two = await found()
    assert.sameMembers(two.map(keyOf), ['SHOP-2', 'STORE-8'])
    const { id } = two.find((each) => keyOf(each) === 'SHOP-2')
    const set = async (ignored: boolean) => {
      const { status } = await admin.post(`${path('1.0.0')}/frIgnoreUnignore`, {
        items: [{ id, ignored }],
      })
      assert.equal(status, 200)
    }
    await set(true)
    await world.write((scope) =>
      scope.table('tracker_tickets').update({ seen_at: '1970-01-01T00:00:00.000Z' })
    )
    await look()
    const one = await found()
    assert.deepEqual(
      one.map((each) => [each.id, keyOf(each), each.ignored, each.ignoredBy.type]),
      [[id, 'STORE-8', true, 'apiKey']]
    )
    await set(false)
    repository.commit({ message: 'SHOP-2 Pay by card' })
    await look()
    assert.deepEqual(
      (await found()).map((each) => [each.id, each.ignored, each.workItem.code.length]),
      [[id, false, 3]]
    )
  })

  test('stay the same item when they move while the release is under way', async ({
    assert,
    cleanup,
  }) => {
    const { tracker, look, items, search, admin, path } = await makeMoved(cleanup)
    tracker.set('SHOP-2', { versions: ['1.0.0'] })
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'merged ready',
      'SHOP-2': 'missing missingCode',
    })
    const idsOf = async () =>
      (await search('1.0.0')).map(({ id, ignored }) => `${id} ${ignored}`).sort()
    // Its code may be found under no key at all, and somebody has ignored it.
    const [aside] = (await search('1.0.0')).filter(({ ready }) => !ready)
    const ignored = { items: [{ id: aside.id, ignored: true }] }
    assert.equal((await admin.post(`${path('1.0.0')}/frIgnoreUnignore`, ignored)).status, 200)
    const before = await idsOf()
    tracker.move('SHOP-1', 'STORE-7')
    tracker.move('SHOP-2', 'STORE-8')
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'STORE-7': 'merged ready',
      'STORE-8': 'missing missingCode',
    })
    assert.deepEqual(await idsOf(), before)
    // A ticket that was requested once is requested by its present key.
    tracker.set('STORE-7', { versions: [] })
    tracker.searches = []
    await look()
    assert.include(
      tracker.searches.flatMap(({ keys }) => keys ?? []),
      'STORE-7'
    )
    assert.containsSubset(await items('1.0.0'), { 'STORE-7': 'merged missingAffiliation' })
  })
})
