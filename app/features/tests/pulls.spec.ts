import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeFeatures, openPull, overPull } from './support.js'

/** Makes a release with a pull request that was merged under another title than its commit’s. */
async function makePulls(cleanup: Parameters<typeof makeFeatures>[0]) {
  const made = await makeFeatures(cleanup)
  const { repository, release, pulls } = made
  repository.git('tag', 'v0.9.0', repository.commit())
  pulls.push(
    overPull(31, 'merged', {
      title: 'Log in with a passkey',
      url: 'https://git.example/pull/31',
      author: 'ada',
      mergedAt: '2026-11-19T10:00:00Z',
    })
  )
  repository.commit({ message: 'wip (#31)' })
  await release('1.0.0')
  await made.look()
  return {
    ...made,
    async shown(number: number) {
      const found = (await made.search('1.0.0')).flatMap(({ workItem }) => workItem.code)
      return found.find((each: any) => each.number === number)
    },
  }
}

test.group('Pull requests of work items', () => {
  test('are shown as their host reports them', async ({ assert, cleanup }) => {
    const { shown, admin, app, path } = await makePulls(cleanup)
    assert.containsSubset(await shown(31), {
      title: 'Log in with a passkey',
      status: 'merged',
      url: 'https://git.example/pull/31',
      author: 'ada',
      baseBranch: 'main',
      mergedAt: '2026-11-19T10:00:00.000Z',
    })
    const notes = await admin.post(`${path('1.0.0')}/notes/releaseNotes/metadata`, {})
    assert.include(notes.body.notes, 'Log in with a passkey')
    const { body } = await admin.get(`/app/${app}/whereIs?pullRequest=31`)
    assert.containsSubset(body.apps[0].pullRequests, [
      { number: 31, title: 'Log in with a passkey', url: 'https://git.example/pull/31' },
    ])
  })

  test('are requested once, and again while they are open or unknown', async ({
    assert,
    cleanup,
  }) => {
    const { look, pulls, pullsAsked, repository, shown } = await makePulls(cleanup)
    assert.deepEqual(pullsAsked, [31])
    pulls.push(openPull(32, { title: 'Waits' }))
    repository.commit({ message: 'Something (#33)' })
    await look()
    await look()
    // The host has no pull request 33, which is valid for a day.
    assert.deepEqual(pullsAsked, [31, 33])
    Object.assign(pulls[1], overPull(32, 'merged', { title: 'Waited' }))
    repository.commit({ message: 'Waits (#32)' })
    await look()
    await look()
    assert.deepEqual(pullsAsked, [31, 33, 32])
    assert.containsSubset(await shown(32), { title: 'Waited', status: 'merged' })
    assert.containsSubset(await shown(33), { title: 'Something', status: 'merged', url: null })
  })

  test('of a former repository do not stand in for others of the same numbers', async ({
    assert,
    cleanup,
  }) => {
    const { look, pullsAsked, repository, shown, app, admin } = await makePulls(cleanup)
    await db.from('code_pulls').where('app_id', app).update({ repository: 'exchanged' })
    const { body } = await admin.get(`/app/${app}/whereIs?pullRequest=31`)
    assert.deepInclude(body.apps[0].pullRequests[0], { number: 31, title: null, url: null })
    repository.commit({ message: 'Something' })
    await look()
    assert.deepEqual(pullsAsked, [31, 31])
    assert.containsSubset(await shown(31), { title: 'Log in with a passkey', author: 'ada' })
  })

  test('that the host fails to list do not keep commits from being read', async ({
    assert,
    cleanup,
  }) => {
    const { look, pulls, fails, repository, items, shown } = await makePulls(cleanup)
    pulls.push(openPull(40, { title: 'SHOP-4 Waits' }))
    await look()
    const before = await items('1.0.0')
    fails.pulls = 'unavailable'
    repository.commit({ message: 'Seen all the same' })
    await look()
    const now = await items('1.0.0')
    assert.property(now, 'Seen all the same')
    for (const name of Object.keys(before)) assert.property(now, name)
    assert.containsSubset(await shown(31), { title: 'Log in with a passkey' })
  })
})
