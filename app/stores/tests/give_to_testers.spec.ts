import { test } from '@japa/runner'
import type { BetaState, StoreBuild } from '#plugin-kit/capabilities/stores'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { makeWorld } from '#tests/support/world'
import { refusal } from './memory_store.js'
import { storeWorld, tidy } from './support.js'

const STEPS: readonly ReleaseStepType[] = ['kickoff', 'betaTesting', 'submission']
const NOTES = [{ locale: 'en-US', text: 'Log in ✓' }]
const ALL = { groups: ['Everybody'], notes: NOTES }

/** Returns release 1.4.0 with the build 4711, which no testers have. */
async function built(type: 'apple' | 'google' = 'apple') {
  const given = await storeWorld(type, STEPS)
  const { store, admin, path, step, run, work, release } = given
  const build = store.upload('4711')
  const testing = (state: BetaState | 'unknown'): StoreBuild['testing'] => ({
    ...{ state, raw: state, beganAt: store.now(), observedAt: store.now(), lagSeconds: 0 },
  })
  store.betaBuilds.push({ ...structuredClone(build), testing: testing('processing') })
  await work()
  await given.reported()
  const { stepRunId } = await step('betaTesting')
  const at = `${path}/stepRun/${stepRunId}/testers`
  const give = (body: object = ALL) => admin.put(at, body)
  const asked = async () => (await run('betaTesting')).data.distributions[0]
  const timeline = async () => {
    const { body } = await admin.get(`${path}/timelineEvents?limit=200`)
    return body.data
      .map((each: { type: string }) => each.type)
      .filter((each: string) => /esters/.test(each))
  }
  return { ...given, give, asked, timeline, at, release }
}

test.group('PUT …/stepRun/{stepRunId}/testers', (group) => {
  group.each.teardown(tidy)

  test('200 testers get the build with its notes, once, and the step is complete', async ({
    assert,
  }) => {
    const { give, asked, store, work, statuses, timeline } = await built()
    const { status, body } = await give()
    assert.equal(status, 200)
    assert.equal(body.status, 'notStarted')
    assert.containsSubset(body.data.distributions, [{ ...ALL, buildNumber: '4711' }])
    assert.equal(body.data.distributions[0].state, 'pending')
    assert.isEmpty(store.changes)
    await give()
    await work()
    // Apple reviews test notes.
    const both = ['setNotes B4711: en-US Log in ✓', 'distribute B4711 to G2']
    assert.deepEqual(store.changes, both)
    assert.containsSubset(await asked(), { state: 'sent', reason: null, action: null })
    await work()
    assert.equal((await statuses()).betaTesting, 'complete')
    await give()
    await work()
    assert.deepEqual(store.changes, both)
    assert.sameMembers(await timeline(), ['build.testersWanted', 'build.givenToTesters'])
  })

  test('a track of Google Play gets the build first, then its notes; groups may be ids, too', async ({
    assert,
  }) => {
    const { give, store, work } = await built('google')
    await give({ groups: ['G1', 'Everybody'], notes: NOTES })
    await work()
    assert.deepEqual(store.changes, [
      'distribute B4711 to G1, G2',
      'setNotes B4711: en-US Log in ✓',
    ])
  })

  test('a build that the store still processes is given again until it is ready', async ({
    assert,
  }) => {
    const { give, asked, store, work, statuses } = await built()
    store.tested.push('processing', 'inReview')
    await give({ groups: ['Everybody'] })
    await work()
    assert.equal((await asked()).state, 'pending')
    await work()
    assert.equal((await asked()).state, 'sent')
    await work()
    assert.equal((await statuses()).betaTesting, 'inProgress')
    assert.lengthOf(store.changes, 2)
  })

  test('a call with an unknown outcome is repeated', async ({ assert }) => {
    const { give, asked, store, work } = await built()
    store.breaks.add('after distribute')
    await give()
    await work()
    await work()
    assert.equal((await asked()).state, 'sent')
  })

  test('a refused request stays with its reason, and can be repeated', async ({ assert }) => {
    const { give, asked, store, work, timeline } = await built()
    await give({ groups: ['Everyone', 'Employees'] })
    await work()
    assert.containsSubset(await asked(), {
      state: 'refused',
      reason: 'The store has no tester groups named Everyone.',
      action: 'Use an existing group: Employees, Everybody.',
    })
    assert.isEmpty(store.changes)
    store.failures.push(refusal('preconditionFailed', 'It says not whether it encrypts'))
    await give()
    await work()
    assert.containsSubset(await asked(), {
      state: 'refused',
      reason: 'It says not whether it encrypts',
    })
    await give()
    await work()
    assert.equal((await asked()).state, 'sent')
    assert.lengthOf(await timeline(), 6)
  })

  test('the store is not called for a release that ended meanwhile', async ({ assert }) => {
    const { give, asked, store, work, admin, path } = await built()
    await give()
    assert.equal((await admin.put(`${path}/skip`)).status, 200)
    await work()
    assert.containsSubset(await asked(), { state: 'refused', reason: '1.4.0 was skipped' })
    assert.isEmpty(store.changes)
    assert.equal((await give()).status, 409)
  })

  test('422 for a build that is not of the step, and for notes that are too long', async ({
    assert,
  }) => {
    const { give, run } = await built('google')
    const long = [{ locale: 'de-DE', text: 'x'.repeat(501) }]
    const { status, body } = await give({ ...ALL, notes: long, appStoreBuildId: 'build_none' })
    assert.equal(status, 422)
    assert.sameMembers(
      body.errors.map(({ pointer, code }: { pointer: string; code: string }) => pointer + code),
      ['/notes/0/texttoo_long_for_store', '/appStoreBuildIdunknown_build']
    )
    for (const wrong of [{ groups: [] }, { groups: ['A', 'A'] }, {}, { groups: 'A' }]) {
      assert.equal((await give(wrong)).status, 422)
    }
    assert.isEmpty((await run('betaTesting')).data.distributions)
  })

  test('409 without a build that testers can have', async ({ assert }) => {
    const { admin, path, step, store, work } = await storeWorld('apple', STEPS)
    const { stepRunId } = await step('betaTesting')
    const give = () => admin.put(`${path}/stepRun/${stepRunId}/testers`, ALL)
    assert.containsSubset(await give(), { status: 409, body: { code: 'no_build_selected' } })
    store.upload('4712').status.state = 'expired'
    await work()
    assert.equal((await give()).body.code, 'no_build_selected')
    const { body } = await admin.get(`${path}/appStoreBuilds`)
    const named = { ...ALL, appStoreBuildId: body.data[0].id }
    const { body: refused } = await admin.put(`${path}/stepRun/${stepRunId}/testers`, named)
    assert.equal(refused.code, 'build_unusable')
  })

  test('403 without the right, 404 elsewhere, 409 for another step', async ({ assert }) => {
    const { world, at, path, step, admin } = await built()
    const crew = { name: 'Crew', userActions: ['SelectBuild'] }
    await admin.post(`/org/${world.organizationId}/group`, crew)
    const member = await world.keyed({ groups: ['Crew'] })
    assert.equal((await member.put(at, ALL)).status, 403)
    const other = await makeWorld()
    assert.equal((await other.admin.put(at, ALL)).status, 404)
    const { stepRunId } = await step('submission')
    const { body } = await admin.put(`${path}/stepRun/${stepRunId}/testers`, ALL)
    assert.equal(body.code, 'step_type_mismatch')
  })
})
