import type { TestContext } from '@japa/runner/core'
import { test } from '@japa/runner'
import { makeFeatures } from '#features/tests/support'
import { workAway } from '#releases/tests/helpers/code_world'
import { ran } from './support.js'

const TYPE = 'addLabelsAndFixVersions'

/** An app whose tickets say by version and label which release they belong to; 1.2.0 is kicked off. */
async function makeMarked(
  cleanup: TestContext['cleanup'],
  options: Parameters<typeof makeFeatures>[1] = {
    affiliations: [
      { type: 'fixVersion', pattern: '{version}' },
      { type: 'label', pattern: 'release-{version}' },
    ],
  }
) {
  const given = await makeFeatures(cleanup, options)
  const { admin, app, repository, tracker, release, kickOff } = given
  repository.git('tag', 'v1.1.0', repository.commit({ message: 'First' }))
  for (const key of ['SHOP-1', 'SHOP-2', 'SHOP-3', 'SHOP-4']) tracker.set(key, { done: true })
  tracker.set('SHOP-2', { versions: ['1.2.0'] })
  repository.commit({ message: 'SHOP-1 Pay' })
  repository.commit({ message: 'SHOP-2 Log in' })
  await release('1.2.0')
  const automate = (enabled = true) => admin.put(`/app/${app}/automations`, { type: TYPE, enabled })
  return { ...given, automate, kickOff: () => kickOff('1.2.0'), ran: () => ran(given, '1.2.0') }
}

test.group('Labels and fix versions that are missing', () => {
  test('are added to tickets whose code is in the release, from its kickoff on, once', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, kickOff, tracker, repository, items, ...given } =
      await makeMarked(cleanup)
    const on = await automate()
    assert.deepEqual([on.status, on.body.status], [200, 'enabled'])
    await look()
    assert.deepEqual(tracker.changes, [])
    await kickOff()
    await look()
    const first = ['version 1.2.0 of SHOP', '1.2.0 for SHOP-1', 'release-1.2.0 on SHOP-1']
    assert.deepEqual(tracker.changes, first)
    assert.equal((await items('1.2.0'))['SHOP-1'], 'inRelease ready')
    assert.containsSubset(await given.ran(), [{ type: 'automation.ran', actor: TYPE }])

    // What waits in the working branch is of the next release; what is picked is of this one.
    repository.commit({ message: 'SHOP-3 Later' })
    repository.commit({ branch: 'release/1.2.0', message: 'SHOP-4 Fix' })
    await look()
    assert.deepEqual(tracker.changes.slice(first.length + 1), [
      '1.2.0 for SHOP-4',
      'release-1.2.0 on SHOP-4',
    ])
    // Somebody took it away on purpose.
    tracker.set('SHOP-4', { labels: [], versions: [] })
    const { length } = tracker.changes
    await look()
    await look()
    assert.lengthOf(tracker.changes, length)
    assert.lengthOf(await given.ran(), 2)
  })

  test('leave ignored tickets alone; not while paused, and then all', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, kickOff, tracker, search, admin, app, path, repository } =
      await makeMarked(cleanup)
    await kickOff()
    repository.commit({ branch: 'release/1.2.0', message: 'SHOP-3 Fix' })
    await look()
    const found = await search('1.2.0')
    const { id } = found.find(({ workItem }) => workItem.ticket?.key === 'SHOP-3')
    const ignored = { items: [{ id, ignored: true }] }
    assert.equal((await admin.post(`${path('1.2.0')}/frIgnoreUnignore`, ignored)).status, 200)
    const pause = (paused: boolean) => admin.put(`/app/${app}/automations/pause`, { paused })
    await pause(true)
    await automate()
    await look()
    assert.deepEqual(tracker.changes, [])
    await pause(false)
    await workAway()
    assert.include(tracker.changes, '1.2.0 for SHOP-1')
    assert.notInclude(tracker.changes.join(), 'SHOP-3')
  })

  test('that the tracker refuses are told of, and not asked again', async ({ assert, cleanup }) => {
    const { automate, look, kickOff, tracker, repository, ...given } = await makeMarked(cleanup)
    await automate()
    tracker.refuses = true
    await kickOff()
    await look()
    const [failed, ...others] = await given.ran()
    assert.deepEqual(others, [])
    assert.containsSubset(failed, { type: 'automation.failed', result: 'failed' })
    const { title } = (await given.timeline('1.2.0')).find(
      ({ type }) => type === 'automation.failed'
    )
    assert.include(title, 'SHOP-1')
    tracker.refuses = false
    await look()
    assert.deepEqual(tracker.changes, [])
  })

  test('need a tracker and featureAffiliations', async ({ assert, cleanup }) => {
    const { automate, integrate } = await makeMarked(cleanup)
    await integrate(['versionControl'])
    const refused = await automate()
    assert.deepEqual([refused.status, refused.body.code], [409, 'automation_dependency'])
    assert.include(refused.body.detail, 'issue-tracking')
    const bare = await makeMarked(cleanup, { affiliations: [] })
    assert.include((await bare.automate()).body.detail, 'featureAffiliations')
  })
})
