import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { HOUR } from '#foundation/core/durations'
import { refusal } from '#stores/tests/memory_store'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { guarded, LADDER } from './guarded.js'
import { asked, began, rollingOut } from './support.js'

/*
 * A request that a store refused by its rules is repeated once the store shows another state, not
 * at every check of a policy.
 */

const titles = async ({ admin, path }: StoreWorld, type: string): Promise<string[]> =>
  (await admin.get(`${path}/timelineEvents?type=${type}`)).body.data.map(
    ({ title }: { title: string }) => title
  )

const decision = async ({ release }: StoreWorld) => (await release()).storePlans[0].rollout

/** Returns a rollout whose next rung is due. */
async function climbing(type: 'apple' | 'google' = 'google') {
  const given = await rollingOut(type)
  const { admin, appId, work } = given
  await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
  await work()
  await began(appId, 25)
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await work()
  }
  return { ...given, turns }
}

test.group('A request of a policy that a store refuses', (group) => {
  group.each.teardown(tidy)

  test('is recorded once, and repeated once the store shows another state', async ({ assert }) => {
    const given = await climbing()
    const { store, turns, admin, path } = given
    const calls: string[] = []
    const { change } = store
    store.change = async (name, what, act) => {
      calls.push(what)
      return change.call(store, name, what, act) as never
    }
    store.failures.push(refusal('preconditionFailed', 'Not now'))
    await turns(3)
    const { at } = await decision(given)
    for (let each = 0; each < 20; each++) {
      store.failures.push(refusal('preconditionFailed', 'Not now'))
    }
    await turns(20)
    assert.deepEqual(calls, ['setRollout 0.5'])
    assert.containsSubset(await decision(given), { at, status: 'failed', percentage: 50 })
    assert.lengthOf(await titles(given, 'store.failed'), 1)
    const { body } = await admin.get(`${path}/whyNotMoving`)
    assert.match(JSON.stringify(body.next), /could not be set to 50 %: .*Not now/)
    store.failures.length = 0
    store.become('rolledOutPartially', { raw: 'inProgress again' })
    await turns(4)
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })

  test('is decided again after a long outage', async ({ assert }) => {
    const given = await climbing()
    const { store, turns } = given
    for (let each = 0; each < 7; each++) store.failures.push(refusal('unavailable', 'Down'))
    await turns(40)
    assert.deepEqual(asked(given), ['setRollout 0.5'])
  })

  test('leaves a question open until somebody decides', async ({ assert }) => {
    const given = await climbing()
    const { store, turns, release } = given
    store.failures.push(refusal('preconditionFailed', 'Not now'))
    await turns(2)
    await db
      .from('store_plans')
      .whereNotNull('rollout')
      .update({
        question: JSON.stringify({
          about: 'rollout',
          message: 'Which?',
          since: new Date().toISOString(),
        }),
      })
    await turns(10)
    assert.equal((await release()).storePlans[0].question?.message, 'Which?')
    assert.isEmpty(asked(given))
  })

  for (const type of ['google', 'apple'] as const) {
    test(`keeps a refused stop of a person, and the checks go on, ${type}`, async ({ assert }) => {
      const given = await climbing(type)
      const { appId, path, store, turns, admin } = given
      store.failures.push(refusal('preconditionFailed', 'Never'))
      await admin.put(`${path}/rollout`, { action: 'pause' })
      await turns(2)
      const stop = await decision(given)
      assert.equal(stop.status, 'failed')
      // At Apple a policy would pause the rollout before a quiet day, and resume it after that.
      const inThreeDays = new Date(Date.now() + 3 * 24 * HOUR).getUTCDay() || 7
      const weekdays = type === 'apple' ? { weekdays: [inThreeDays] } : {}
      await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER, ...weekdays } })
      const nextCheck = async () =>
        Date.parse((await db.from('rollouts').where('app_id', appId).first()).look_at)
      const before = await nextCheck()
      await turns(16)
      assert.isAbove(await nextCheck(), before)
      assert.containsSubset(await decision(given), { at: stop.at, action: stop.action })
      assert.isEmpty(asked(given))
    })
  }

  test('is decided once for a stop by the guard as well', async ({ assert }) => {
    const given = await guarded()
    const { store, turns, crash } = given
    for (let each = 0; each < 40; each++) {
      store.failures.push(refusal('preconditionFailed', 'Never'))
    }
    crash()
    await turns(5)
    const { at, status } = await decision(given)
    assert.equal(status, 'failed')
    await turns(20)
    assert.equal((await decision(given)).at, at)
    assert.lengthOf(await titles(given, 'store.question'), 1)
  })
})
