import { test } from '@japa/runner'
import { readyWorld, tidy, type StoreWorld } from './support.js'

const REJECTION = {
  reason: 'Guideline 2.1 - App Completeness',
  details: 'The app crashed at its start on an iPad.',
}

/** Returns release 1.4.0, which its store is reviewing. */
async function inReview(type: 'apple' | 'google' = 'apple'): Promise<StoreWorld> {
  const given = await readyWorld(type)
  const { admin, path, store, work } = given
  await admin.put(`${path}/submit`, {})
  await work()
  store.become('inReview')
  await work()
  return given
}

const titles = async ({ admin, path }: StoreWorld) =>
  (await admin.get(`${path}/timelineEvents?type=appStoreVersion.statusUpdated`)).body.data.map(
    ({ title }: { title: string }) => title
  )

const why = async ({ admin, path }: StoreWorld) =>
  (await admin.get(`${path}/whyNotMoving`)).body.release.find(
    ({ code }: { code: string }) => code === 'review_rejected'
  )?.message

const shown = async ({ release }: StoreWorld) => (await release()).appStoreVersions[0].rejection

test.group('The reason why a store rejected a version', (group) => {
  group.each.teardown(tidy)

  for (const [type, raw] of [
    ['apple', 'REJECTED'],
    ['google', 'draft'],
  ] as const) {
    test(`is shown if ${type} reports it, until the version is in review again`, async ({
      assert,
    }) => {
      const given = await inReview(type)
      const { admin, path, store, work } = given
      assert.isNull(await shown(given))
      store.become('rejected', { rejection: REJECTION })
      await work()
      assert.deepEqual(await shown(given), REJECTION)
      const reported = `The store rejected the release; it has to be submitted again. The store reports ${raw}: ${REJECTION.reason}. ${REJECTION.details}`
      assert.equal(await why(given), reported)
      if (type === 'apple') {
        const [title] = await titles(given)
        assert.equal(
          title,
          `1.4.0 in the store: IN_REVIEW → REJECTED (Guideline 2.1 - App Completeness)`
        )
      }
      await admin.put(`${path}/submit`, {})
      await work()
      delete store.find('1.4.0')!.rejection
      store.become('inReview')
      await work()
      assert.isUndefined(await why(given))
      assert.isNull(await shown(given))
    })
  }

  test('is to be looked up in the console if the store does not report it', async ({ assert }) => {
    const given = await inReview()
    given.store.become('rejected')
    await given.work()
    assert.isNull(await shown(given))
    assert.match(await why(given), /reports REJECTED, and gives the reason in its console\.$/)
    assert.equal((await titles(given))[0], '1.4.0 in the store: IN_REVIEW → REJECTED')
  })

  test('may come later than the rejection, and is recorded then', async ({ assert }) => {
    const given = await inReview()
    const { store, work, reported } = given
    store.become('rejected')
    await work()
    await reported()
    store.become('rejected', { rejection: { reason: ' Guideline 4.3 ' } })
    await work()
    assert.deepEqual(await shown(given), { reason: 'Guideline 4.3', details: null })
    assert.match(await why(given), /reports REJECTED: Guideline 4\.3\.$/)
    assert.equal((await titles(given))[0], '1.4.0 in the store: REJECTED (Guideline 4.3)')
    await reported()
    await work()
    assert.isEmpty(await reported())
  })

  test('is cut to a readable length, and ignored if it is empty', async ({ assert }) => {
    const given = await inReview()
    const { store, work } = given
    store.become('rejected', { rejection: { reason: ' ', details: 'x' } })
    await work()
    assert.isNull(await shown(given))
    store.become('rejected', { rejection: { reason: 'a'.repeat(999), details: 'b'.repeat(9999) } })
    await work()
    const { reason, details } = await shown(given)
    assert.deepEqual([reason.length, details.length], [300, 4000])
    assert.isAtMost((await why(given)).length, 1000)
  })
})
