import { test } from '@japa/runner'
import { rollingOut } from '#rollouts/tests/support'
import { readyWorld, storeWorld, tidy, type StoreWorld } from './support.js'

/*
 * Skips, completions and deletions of a release whose version is in a store.
 */

type State = 'inReview' | 'approved' | 'active' | 'paused' | 'completed' | 'asked' | 'rejected'

const STEPS = ['kickoff', 'submission', 'storeReview', 'takeoff', 'rollout'] as const

/** Returns release 1.4.0 with its version in a state in the store. */
async function releaseIn(state: State, type: 'apple' | 'google'): Promise<StoreWorld> {
  if (state === 'asked') {
    const given = await readyWorld(type)
    await given.admin.put(`${given.path}/submit`, {})
    return given
  }
  const given = await storeWorld(type, STEPS)
  const { store, work } = given
  const live = type === 'apple' ? 'live' : 'rolledOutPartially'
  switch (state) {
    case 'inReview':
    case 'rejected':
      store.become(state)
      break
    case 'approved':
      store.become('pendingRelease', { release: { method: 'manual' } })
      break
    case 'active':
      store.become(live)
      store.rollout(
        type === 'apple' ? { state: 'active', day: 5 } : { state: 'active', fraction: 0.2 }
      )
      break
    case 'paused':
      store.become(type === 'apple' ? 'live' : 'halted')
      store.rollout(
        type === 'apple' ? { state: 'paused', day: 5 } : { state: 'halted', fraction: 0.2 }
      )
      break
    case 'completed':
      store.become('live')
      break
  }
  await work()
  return given
}

const entries = async ({ admin, path }: StoreWorld, type: string) =>
  (await admin.get(`${path}/timelineEvents?type=${type}`)).body.data

test.group('A release that is in review or live', (group) => {
  group.each.teardown(tidy)

  for (const type of ['apple', 'google'] as const) {
    const stopped = type === 'apple' ? 'paused' : 'halted'
    for (const [state, shown, percentage] of [
      ['inReview', 'inReview', 0],
      ['approved', 'approved', 0],
      ['active', 'active', 20],
      ['paused', stopped, 20],
    ] as const) {
      for (const [action, status] of [
        ['skip', 'skipped'],
        ['complete', 'completed'],
      ] as const) {
        test(`${type}, ${shown}: ${action} is refused unless it is forced`, async ({ assert }) => {
          const given = await releaseIn(state, type)
          const { admin, path, release } = given
          const refused = await admin.put(`${path}/${action}`, {})
          assert.equal(refused.status, 409, refused.text)
          assert.containSubset(refused.body, {
            code: 'release_live',
            currentStatus: 'active',
            inStores: [{ version: '1.4.0', destinationId: null, state: shown, percentage }],
          })
          assert.isString(refused.body.inStores[0].since)
          assert.includeMembers(refused.body.allowedActions, ['edit', 'force'])
          assert.notIncludeMembers(refused.body.allowedActions, ['skip', 'complete', 'delete'])
          assert.equal((await release()).status, 'active')

          const { body } = await admin.put(`${path}/${action}`, { force: true })
          assert.equal(body.status, status)
          const [warning] = body.warnings
          assert.equal(warning.code, 'left_in_store')
          if (percentage > 0) assert.match(warning.message, /^The other 80 % of users do not have/)
          const [reported] = await entries(
            given,
            action === 'skip' ? 'release.skipped' : 'release.updated'
          )
          assert.include(reported.title, warning.message)
          // A repetition changes nothing, forced or not.
          assert.equal((await admin.put(`${path}/${action}`, {})).status, 200)
        })
      }
    }
  }

  test('the warning says how the rollout goes on in its store', async ({ assert }) => {
    const warningIn = async (state: State, type: 'apple' | 'google') => {
      const { admin, path } = await releaseIn(state, type)
      const { body } = await admin.put(`${path}/skip`, { force: true })
      return body.warnings[0].message
    }
    assert.match(await warningIn('active', 'apple'), /continues automatically, to 100 %/)
    assert.match(await warningIn('active', 'google'), /stays at 20 % in Google Play/)
    assert.match(await warningIn('paused', 'apple'), /stays paused at 20 %/)
    assert.match(await warningIn('paused', 'google'), /stays halted at 20 %/)
    assert.match(await warningIn('inReview', 'apple'), /continues its review/)
  })

  test('a version that waits for its release is shown as waiting, also if the store reports no release method', async ({
    assert,
  }) => {
    const { store, work, admin, path } = await storeWorld('google', STEPS)
    store.become('inReview', { release: undefined })
    await work()
    const messageOf = async () => (await admin.put(`${path}/skip`, {})).body.inStores[0].message
    assert.match(
      await messageOf(),
      /^Google Play continues its review, and releases it .* automatically/
    )
    store.become('pendingRelease', { release: undefined })
    await work()
    assert.equal(await messageOf(), 'Google Play keeps it until somebody releases it there.')
  })

  test('a rejected release is skipped and completed without a warning', async ({ assert }) => {
    for (const [action, status] of [
      ['skip', 'skipped'],
      ['complete', 'completed'],
    ]) {
      const { admin, path } = await releaseIn('rejected', 'apple')
      const { body } = await admin.put(`${path}/${action}`)
      assert.equal(body.status, status)
      assert.isUndefined(body.warnings)
    }
  })

  test('the refusal lists other releases of the app that are not with all users', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, appId, path, store, work } = given
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    await admin.put(`/app/${appId}/release/${appId}:1.5.0/kickoff`)
    store.become('inReview', { version: '1.5.0' })
    await work()
    const { body } = await admin.put(`${path}/skip`)
    assert.deepEqual(
      body.inStores.map(({ releaseId, state }: { releaseId: string; state: string }) => [
        releaseId,
        state,
      ]),
      [
        [`${appId}:1.4.0`, 'active'],
        [`${appId}:1.5.0`, 'inReview'],
      ]
    )
    const other = await admin.put(`/app/${appId}/release/${appId}:1.5.0/skip`)
    assert.lengthOf(other.body.inStores, 2)
  })

  test('is not deleted, nor is one with a call to a store under way', async ({ assert }) => {
    for (const state of ['asked', 'inReview', 'active'] as const) {
      const { admin, path, release } = await releaseIn(state, 'apple')
      const { status, body } = await admin.delete(path)
      assert.equal(status, 409)
      assert.include(['release_live', 'release_submitted'], body.code)
      if (state === 'asked') {
        assert.containSubset(body, { code: 'release_live', inStores: [{ state: 'asked' }] })
        assert.notInclude(body.allowedActions, 'delete')
        assert.includeMembers(body.allowedActions, ['skip', 'complete'])
      }
      assert.equal((await release()).status, 'active')
    }
  })

  test('force must be true or false', async ({ assert }) => {
    const { admin, path } = await releaseIn('inReview', 'apple')
    for (const action of ['skip', 'complete']) {
      assert.equal((await admin.put(`${path}/${action}`, { force: 'yes' })).status, 422)
      assert.equal((await admin.put(`${path}/${action}`, { force: false })).status, 409)
    }
  })
})
