import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { windowsOf } from '../queries/windows.js'
import { rolloutsOf } from '../watch_rollouts.js'
import { ago, began, rollingOut } from './support.js'

const STARTED = 4

interface Before {
  /** Hours since it reached users. */
  hours: number
  /** The store in which it did; absent if no store has it. */
  store?: 'own' | 'other'
  known?: object
  /** The last decision about its rollout. */
  asked?: 'halt' | 'pause' | 'complete'
  /** Its rollout was watched; with the issue, if the guard found it unhealthy. */
  watched?: { issueId?: string }
  isPressed?: boolean
}

/**
 * Returns a rollout of 1.4.0 with earlier versions; `baseline` returns what it is compared with.
 */
async function watchedAfter(versions: Record<string, Before>) {
  const given = await rollingOut()
  const { admin, appId } = given
  await admin.put(`/app/${appId}/rolloutPolicy`, {
    policy: {
      ladder: [
        { percentage: 10, hours: 24 },
        { percentage: 100, hours: 0 },
      ],
    },
  })
  await given.work()
  await began(appId, STARTED)
  for (const [version, before] of Object.entries(versions)) await add(given, version, before)
  const own = await db.from('releases').where({ app_id: appId, version: '1.4.0' }).first()
  const baseline = () =>
    given.world.write(async (scope) => {
      const [row] = await rolloutsOf(scope, own.id)
      return (await windowsOf(scope, row, '1.4.0')).baseline
    })
  return { given, baseline }
}

async function add({ admin, appId, world, target }: StoreWorld, version: string, before: Before) {
  const { hours, store, known = { state: 'live' }, asked: requested, watched, isPressed } = before
  await admin.post(`/app/${appId}/release`, { version })
  const one = db.from('releases').where({ app_id: appId, version })
  await one.clone().update({ released_at: ago(hours) })
  const { id: releaseId } = await one.first()
  const { integrationId, storeType } = await target()
  const at = { organization_id: world.organizationId, app_id: appId, release_id: releaseId }
  const inStore = store === 'other' ? `${integrationId}-other` : integrationId
  const id = `${appId}-${version}`
  const given = { id, ...at, integration_id: inStore }
  if (store) {
    await db.table('app_store_versions').insert({
      ...{ ...given, store_type: storeType, seen: JSON.stringify(known) },
      ...{ known: JSON.stringify(known), released_at: ago(hours) },
      ...{ created_at: ago(hours), updated_at: ago(hours) },
    })
  }
  if (requested) {
    const rollout = { to: { action: requested }, status: 'done' }
    await db
      .table('store_plans')
      .insert({
        ...given,
        by_hand: false,
        rollout: JSON.stringify(rollout),
        updated_at: ago(hours),
      })
      .onConflict(['release_id', 'integration_id'])
      .merge()
  }
  if (watched) {
    await db.table('rollouts').insert({
      ...{ ...given, started_at: ago(hours), ended_at: ago(hours - 20) },
      stages: JSON.stringify([
        { percentage: 10, at: ago(hours) },
        { percentage: 50, at: ago(hours - 10) },
      ]),
      ...{ judgements: '[]', samples: '[]', issue_id: watched.issueId ?? null },
    })
  }
  if (isPressed) {
    await db.table('red_buttons').insert({
      ...{ ...at, pressed_at: ago(hours), pressed_by: '{}', issue_id: 'issue_1' },
    })
  }
}

const hoursOf = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 3_600_000)

test.group('The baseline of a rollout', (group) => {
  group.each.teardown(tidy)

  test('is the version that users had before, even if it was not watched', async ({ assert }) => {
    const { baseline } = await watchedAfter({
      '1.2.0': { hours: 300, store: 'own', watched: {} },
      '1.3.0': { hours: 54, store: 'own' },
    })
    const found = await baseline()
    assert.equal(found?.version, '1.3.0')
    assert.equal(hoursOf(found!.from, found!.to), 50)
  })

  test('is the last seven days of that version, whatever its stage', async ({ assert }) => {
    const { baseline } = await watchedAfter({
      '1.3.0': { hours: 300, store: 'own', watched: {} },
    })
    const found = await baseline()
    assert.equal(found?.version, '1.3.0')
    assert.equal(hoursOf(found!.from, found!.to), 7 * 24)
  })

  const STOPPED: Record<string, Partial<Before>> = {
    'a guard found unhealthy': { watched: { issueId: 'issue_1' } },
    'the red button stopped': { isPressed: true },
    'its store shows halted': { known: { state: 'halted' } },
    'its store shows halted in its rollout': {
      known: { state: 'replaced', rollout: { state: 'halted' } },
    },
    'somebody had halted before it was replaced': { known: { state: 'replaced' }, asked: 'halt' },
    'somebody had paused before it was replaced': { known: { state: 'replaced' }, asked: 'pause' },
  }
  for (const [what, stopped] of Object.entries(STOPPED)) {
    test(`is not a version that ${what}, but the one before it`, async ({ assert }) => {
      const { baseline } = await watchedAfter({
        '1.2.0': { hours: 300, store: 'own' },
        '1.3.0': { hours: 54, store: 'own', watched: {}, ...stopped },
      })
      const found = await baseline()
      assert.equal(found?.version, '1.2.0')
      assert.equal(hoursOf(found!.from, found!.to), 7 * 24)
    })
  }

  test('may be a version that went on after a pause', async ({ assert }) => {
    const { baseline } = await watchedAfter({
      '1.2.0': { hours: 300, store: 'own' },
      '1.3.0': { hours: 54, store: 'own', known: { state: 'replaced' }, asked: 'complete' },
    })
    assert.equal((await baseline())?.version, '1.3.0')
  })

  test('is of the same store if any version is known in a store', async ({ assert }) => {
    const { baseline } = await watchedAfter({
      '1.1.0': { hours: 400 },
      '1.2.0': { hours: 300, store: 'own' },
      '1.3.0': { hours: 54, store: 'other' },
    })
    assert.equal((await baseline())?.version, '1.2.0')
  })

  test('is null if all earlier versions were stopped', async ({ assert }) => {
    const { baseline } = await watchedAfter({
      '1.3.0': { hours: 54, store: 'own', watched: { issueId: 'issue_1' } },
    })
    assert.isNull(await baseline())
  })
})
