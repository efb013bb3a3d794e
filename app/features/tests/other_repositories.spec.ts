import { join } from 'node:path'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { makeApp } from '#tests/support/app_fixture'
import { makeFeatures, overPull } from './support.js'

const OTHER = 'other.git'

/**
 * Makes an app that has released pull request 7, and another repository that has a pull request 7,
 * too.
 */
async function makeMoved(cleanup: Parameters<typeof makeFeatures>[0]) {
  const made = await makeFeatures(cleanup)
  const { repository, folder, pulls, otherPulls, release, kickOff, look, admin, app } = made
  pulls.push(overPull(7, 'merged', { title: 'Seven of ours', url: 'https://git.example/ours/7' }))
  otherPulls.set(OTHER, [
    overPull(7, 'merged', { title: 'Seven of theirs', url: 'https://git.example/theirs/7' }),
  ])
  repository.git('tag', 'v0.9.0', repository.commit())
  const ours = repository.commit({ message: 'Ours (#7)' })
  await release('1.0.0')
  await kickOff('1.0.0')
  await look()
  const other = new TestRepository(join(folder, OTHER))
  other.git('tag', 'v1.0.0', other.commit({ message: 'Begun anew' }))
  const theirs = other.commit({ message: 'Theirs (#7)' })
  return {
    ...made,
    ...{ ours, theirs, other },
    /** Returns where a change is, in the whole group. */
    async whereIs(query: string, of = app) {
      const { status, body } = await admin.get(`/app/${of}/whereIs?${query}`)
      return status === 200 ? (body.apps as any[]) : []
    },
    /** Moves the app to the other repository. */
    move: () => made.integrate(['versionControl', 'issueTracking'], { repoName: OTHER }),
  }
}

const briefly = ({ appId, releases, pullRequests }: any) => [
  appId,
  releases.map(({ version }: any) => version).join(' '),
  pullRequests.map(({ number, title, url }: any) => `${number} ${title} ${url}`).join(' '),
]
const OURS = '7 Seven of ours https://git.example/ours/7'
const THEIRS = '7 Seven of theirs https://git.example/theirs/7'

test.group('Pull requests of the same number in different repositories', () => {
  test('are distinguished if an app went on with another repository', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeMoved(cleanup)
    const { app, admin, path, move, release, look, whereIs, ours, theirs, search } = made
    assert.deepEqual((await whereIs('pullRequest=7')).map(briefly), [[app, '1.0.0', OURS]])
    await admin.put(`${path('1.0.0')}/complete`)
    await move()
    // It is not observed yet, and our pull request is a different one.
    assert.deepEqual(await whereIs('pullRequest=7'), [])
    await release('1.1.0')
    await look()
    assert.deepEqual((await whereIs('pullRequest=7')).map(briefly), [[app, '1.1.0', THEIRS]])
    assert.deepEqual((await whereIs(`commit=${ours}`)).map(briefly), [[app, '1.0.0', OURS]])
    assert.deepEqual((await whereIs(`commit=${theirs}`)).map(briefly), [[app, '1.1.0', THEIRS]])
    const titles = (await search('1.1.0')).map(({ workItem }) => workItem.code[0].title)
    assert.deepEqual(titles, ['Seven of theirs'])
    // The release of the earlier number contains another work item.
    const { body } = await admin.get(`/app/${app}/changes?from=1.0.0&to=1.1.0`)
    const code = body.data.flatMap(({ workItem }: any) => workItem.code)
    assert.sameMembers(
      code.map(({ hash, title }: any) => hash ?? title),
      [theirs, 'Seven of theirs']
    )
  })

  test('are distinguished in a release that was under way meanwhile', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeMoved(cleanup)
    const { admin, path, move, look, search, other } = made
    const [item] = await search('1.0.0')
    await admin.post(`${path('1.0.0')}/frIgnoreUnignore`, {
      items: [{ id: item.id, ignored: true }],
    })
    other.git('tag', 'v0.9.0', 'main~1')
    other.git('branch', 'release/1.0.0', 'main')
    await move()
    await look()
    const [now, ...more] = await search('1.0.0')
    assert.isEmpty(more)
    assert.deepEqual([now.workItem.code[0].title, now.ignored], ['Seven of theirs', false])
    // Ours is still ignored when the app returns to the repository.
    await made.integrate(['versionControl', 'issueTracking'])
    await look()
    const [again] = await search('1.0.0')
    assert.deepEqual([again.id, again.ignored], [item.id, true])
    assert.equal(again.workItem.code[0].title, 'Seven of ours')
  })

  test('are distinguished in two apps of a group on one connection', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeMoved(cleanup)
    const { app, world, admin, integrate, look, whereIs, ours, repository, release } = made
    const beside = await makeApp(world, { platform: 'android', tagPattern: 'v{version}' })
    await integrate(['versionControl'], { repoName: OTHER, of: beside })
    const { branch_settings: branches } = await db.from('apps').where('id', app).firstOrFail()
    await db.from('apps').where('id', beside).update({ branch_settings: branches })
    await db.from('apps').whereIn('id', [app, beside]).update({ app_group: 'Shop' })
    await admin.post(`/app/${beside}/release`, { version: '1.1.0' })
    await look()
    assert.deepEqual((await whereIs('pullRequest=7')).map(briefly), [[app, '1.0.0', OURS]])
    const there = await whereIs('pullRequest=7', beside)
    assert.deepEqual(there.map(briefly), [[beside, '1.1.0', THEIRS]])
    // In the same repository it is the same for both apps.
    await integrate(['versionControl'], { of: beside })
    repository.commit({ message: 'Eight (#8)' })
    await release('1.1.0')
    await look()
    for (const each of [app, beside]) {
      const found = await whereIs('pullRequest=8', each)
      assert.sameMembers(
        found.map(({ appId }) => appId),
        [app, beside]
      )
    }
    assert.isNotEmpty(await whereIs(`commit=${ours}`))
  })
})
