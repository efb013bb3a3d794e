import { test } from '@japa/runner'
import type { StoreType } from '../vocabulary.js'
import { ChangeRollout } from '../actions/change_rollout.js'
import { TakeOff } from '../actions/take_off.js'
import { findRelease } from '#releases/queries/find_release'
import type { Seam } from './memory_store.js'
import { storeWorld, tidy, type StoreWorld } from './support.js'

/*
 * A call that breaks off has an unknown outcome. Wherever it breaks off, between a decision, its
 * calls and their answers, the store ends in the decided state, and nothing is done twice.
 */

const act = async (
  { world, appId }: StoreWorld,
  work: (
    scope: Parameters<Parameters<StoreWorld['world']['write']>[0]>[0],
    release: Awaited<ReturnType<typeof findRelease>>
  ) => Promise<unknown>
) => world.write(async (scope) => work(scope, await findRelease(scope, appId, `${appId}:1.4.0`)))

async function shown(release: StoreWorld['release']) {
  const { appStoreVersions, submittedAt } = await release()
  return { appleState: appStoreVersions[0].apple.appStoreState, submittedAt }
}

async function workOn({ work }: StoreWorld, turns = 6) {
  for (let turn = 0; turn < turns; turn++) await work()
}

/** Uploads files for the store's reviewers. */
async function sendReviewFiles(
  { admin, appId }: StoreWorld,
  names: readonly string[],
  releaseId?: string
) {
  const boundary = 'part-of-files'
  const head = (disposition: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`
  const parts = names.map(
    (name) =>
      `${head(`name="file"; filename="${name}"`)}Content-Type: text/plain\r\n\r\nbytes of ${name}\r\n`
  )
  const data = releaseId && `${head('name="data"')}\r\n${JSON.stringify({ releaseId })}\r\n`
  const { status, text } = await admin.post(
    `/app/${appId}/appStoreReviewAttachmentFiles`,
    undefined,
    {
      raw: `${parts.join('')}${data ?? ''}--${boundary}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    }
  )
  if (status !== 200) throw new Error(text)
}

/** Returns a release with a build, and texts for its store. */
async function ready(type: StoreType) {
  const given = await storeWorld(type)
  const { store, work, admin, path, step } = given
  store.upload('4711')
  await work()
  const { stepRunId } = await step('metadata')
  const localizations = [{ locale: 'en-US', whatsNew: 'Faster' }]
  await admin.put(`${path}/stepRun/${stepRunId}/metadata`, { localizations })
  return given
}

async function submitted(type: StoreType) {
  const given = await ready(type)
  await given.admin.put(`${given.path}/submit`, { force: true })
  await workOn(given, 1)
  return given
}

async function rollingOut(type: StoreType) {
  const given = await submitted(type)
  const { store, work } = given
  if (type === 'apple') {
    store.become('live')
    store.rollout({ state: 'active', day: 2 })
  } else {
    store.rollout({ state: 'active', fraction: 0.1 })
    store.become('rolledOutPartially')
  }
  await work()
  return given
}

const SUBMISSION: Seam[] = [
  'before listVersions',
  'before prepare',
  'after prepare',
  'before setMetadata',
  'after setMetadata',
  'before submit',
  'after submit',
]

const FILES: Seam[] = ['before addReviewFile', 'after addReviewFile']

for (const type of ['apple', 'google'] as const) {
  test.group(`calls that break off, ${type}`, (group) => {
    group.each.teardown(tidy)

    for (const seam of SUBMISSION) {
      test(`${seam}: one submission`, async ({ assert }) => {
        const given = await ready(type)
        const { store, admin, path, release, reported } = given
        store.breaks.add(seam)
        await admin.put(`${path}/submit`, { force: true })
        await reported()
        await workOn(given)
        assert.isEmpty(store.breaks)
        assert.equal(store.changes.filter((each) => each === 'submit').length, 1)
        assert.isEmpty(store.refused)
        const after = await release()
        assert.deepEqual([after.phase, after.storePlans[0].standing], ['submitted', 'agreed'])
        const events = await reported()
        assert.equal(events.filter((each) => each === 'release.submitted').length, 1)
      })
    }

    for (const seam of type === 'apple' ? FILES : []) {
      test(`${seam}: the store has each file once`, async ({ assert }) => {
        const given = await ready(type)
        const { store, admin, path, release, appId } = given
        await sendReviewFiles(given, ['log in.txt', 'demo.txt'], `${appId}:1.4.0`)
        await sendReviewFiles(given, ['for all.txt'])
        await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
        await sendReviewFiles(given, ['later.txt'], `${appId}:1.5.0`)
        store.breaks.add(seam)
        await admin.put(`${path}/submit`, { force: true })
        await workOn(given)
        assert.isEmpty(store.breaks)
        assert.sameDeepMembers(
          store.files.get('V1')!.map(({ name, size }) => [name, size]),
          [
            ['log in.txt', 19],
            ['demo.txt', 17],
            ['for all.txt', 20],
          ]
        )
        assert.equal((await release()).phase, 'submitted')
      })
    }

    test('after submit, if the store does not show it yet: one submission', async ({ assert }) => {
      const given = await ready(type)
      const { store, admin, path, release } = given
      store.breaks.add('after submit')
      store.hideOnce('preparing')
      await admin.put(`${path}/submit`, { force: true })
      await workOn(given)
      assert.equal(store.changes.filter((each) => each === 'submit').length, 1)
      assert.equal((await release()).phase, 'submitted')
    })

    for (const seam of ['before setRollout', 'after setRollout'] as const) {
      test(`${seam}: the rollout is halted, and stays so`, async ({ assert }) => {
        const given = await rollingOut(type)
        const { store, run, step } = given
        store.breaks.add(seam)
        await act(given, (scope, release) =>
          new ChangeRollout(scope).handle(release, { action: 'halt' }, { isUrgent: true })
        )
        await workOn(given)
        // A stop with a lost answer is repeated before a read, which does no harm.
        const changes = store.changes.filter((each) => each.startsWith('setRollout'))
        assert.deepEqual([...new Set(changes)], ['setRollout halt'])
        assert.isAtMost(changes.length, seam === 'after setRollout' ? 2 : 1)
        assert.equal((await step('rollout')).status, 'blocked')
        const { percentage } = (await run('rollout')).data.phased
        assert.equal(percentage, type === 'apple' ? 2 : 10)
      })
    }
  })
}

test.group('calls that break off', (group) => {
  group.each.teardown(tidy)

  for (const seam of ['before cancelReview', 'after cancelReview'] as const) {
    test(`${seam}: one withdrawal`, async ({ assert }) => {
      const given = await submitted('apple')
      const { store, admin, path, release } = given
      store.breaks.add(seam)
      await admin.put(`${path}/developerRejectSubmission`)
      await workOn(given)
      assert.equal(store.changes.filter((each) => each === 'cancelReview').length, 1)
      const { appleState, submittedAt } = await shown(release)
      assert.deepEqual([appleState, submittedAt], ['DEVELOPER_REJECTED', null])
    })
  }

  for (const seam of ['before release', 'after release'] as const) {
    test(`${seam}: released once`, async ({ assert }) => {
      const given = await submitted('apple')
      const { store, release, reported } = given
      store.become('pendingRelease')
      await given.work()
      await reported()
      store.breaks.add(seam)
      await act(given, (scope, row) => new TakeOff(scope).handle(row))
      await workOn(given)
      assert.equal(store.changes.filter((each) => each === 'release').length, 1)
      assert.isNotNull((await release()).releasedAt)
      assert.equal((await reported()).filter((each) => each === 'release.released').length, 1)
    })
  }
})

test.group('A contradiction between store and decision', (group) => {
  group.each.teardown(tidy)

  test('a rollout that was halted in the console does not grow, and people are asked', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { store, admin, path, release } = given
    await act(given, (scope, row) =>
      new ChangeRollout(scope).handle(row, { action: 'set', percentage: 50 })
    )
    store.rollout({ state: 'halted', fraction: 0.1 })
    store.become('halted')
    await workOn(given)
    assert.isEmpty(store.changes.filter((each) => each.startsWith('setRollout')))
    const [plan] = (await release()).storePlans
    assert.deepEqual([plan.standing, plan.question.about], ['question', 'rollout'])
    const { body } = await admin.get(`${path}/whyNotMoving`)
    const rollout = body.steps.find(({ type }: { type: string }) => type === 'rollout')
    assert.deepEqual(
      rollout.unmet.map(({ code }: { code: string }) => code),
      ['store_question', 'rollout_halted']
    )
    await act(given, (scope, row) => new ChangeRollout(scope).handle(row, { action: 'resume' }))
    await workOn(given)
    const [after] = (await release()).storePlans
    assert.deepEqual([after.standing, after.question], ['agreed', null])
  })

  test('a change in the console becomes the decision', async ({ assert }) => {
    const given = await rollingOut('apple')
    const { store, work, release } = given
    store.rollout({ state: 'paused', day: 3 })
    await work()
    const [plan] = (await release()).storePlans
    assert.containsSubset(plan.rollout, {
      action: 'pause',
      status: 'done',
      by: { type: 'system', name: 'outside of Tarmac' },
    })
    assert.equal(plan.standing, 'agreed')
  })

  test('a later decision replaces one that is not carried out yet', async ({ assert }) => {
    const given = await rollingOut('google')
    const { store } = given
    await act(given, (scope, row) =>
      new ChangeRollout(scope).handle(row, { action: 'set', percentage: 50 })
    )
    await act(given, (scope, row) =>
      new ChangeRollout(scope).handle(row, { action: 'halt' }, { isUrgent: true })
    )
    await workOn(given)
    assert.deepEqual(
      store.changes.filter((each) => each.startsWith('setRollout')),
      ['setRollout halt']
    )
  })
})

test.group('ChangeRollout', (group) => {
  group.each.teardown(tidy)

  const change = (given: StoreWorld, to: Parameters<ChangeRollout['handle']>[1]) =>
    act(given, (scope, row) => new ChangeRollout(scope).handle(row, to))

  test('refuses impossible changes, and writes nothing', async ({ assert }) => {
    const google = await rollingOut('google')
    await assert.rejects(() => change(google, { action: 'set', percentage: 5 }), /is at 10 %/)
    await tidy()
    const apple = await rollingOut('apple')
    await assert.rejects(() => change(apple, { action: 'set', percentage: 50 }), /automatically/)
    assert.isNull((await apple.release()).storePlans[0].rollout)
    await tidy()
    const early = await storeWorld('apple')
    await assert.rejects(() => change(early, { action: 'halt' }), /No rollout/)
  })

  test('sets and completes a rollout, and does nothing if it is already there', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { store, release } = given
    await change(given, { action: 'set', percentage: 10 })
    await change(given, { action: 'set', percentage: 50 })
    await change(given, { action: 'set', percentage: 50 })
    await workOn(given)
    assert.deepEqual(
      store.changes.filter((each) => each.startsWith('setRollout')),
      ['setRollout 0.5']
    )
    assert.equal((await release()).appStoreVersions[0].google.stagedRollout.percentage, 50)
    await change(given, { action: 'complete' })
    await workOn(given)
    assert.equal((await release()).status, 'completed')
  })
})
