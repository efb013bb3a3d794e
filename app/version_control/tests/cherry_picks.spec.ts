import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeWorld } from '#tests/support/world'
import { makeRepository } from '#features/tests/git_releases'
import { workAway } from '#releases/tests/helpers/code_world'
import { reported } from '#releases/tests/helpers/release_world'

/** Makes a hotfix of 1.0.0 whose only pick conflicts with its branch. */
async function makeConflicting(cleanup: Parameters<typeof makeRepository>[0]) {
  const made = await makeRepository(cleanup)
  const { repository, git, cut, ship, admin, app, path, kickOff, look, world } = made
  repository.commit({ files: { 'a.txt': 'a\n' } })
  await cut('1.0.0')
  await ship('1.0.0')
  repository.commit({ files: { 'a.txt': 'b\n' } })
  const fix = repository.commit({ message: 'The fix', files: { 'a.txt': 'c\n' } })
  const drafted = await admin.post(`/app/${app}/release`, {
    ...{ version: '1.0.1', releaseType: 'hotfix', cherryPickCommits: [fix] },
  })
  if (drafted.status !== 201) throw new Error(drafted.text)
  // Nothing else keeps the release from being ready.
  await db.from('release_steps').update({ required: false })
  git.on('hotfix/1.0.1', 'v1.0.0')
  git.push('hotfix/1.0.1')
  await kickOff('1.0.1')
  await workAway()
  const at = path('1.0.1')
  const shown = () => made.detail('1.0.1')
  return {
    ...made,
    fix,
    at,
    shown,
    dismiss: (body: object, hash = fix) => admin.put(`${at}/cherryPick/${hash}`, body),
    picks: async () => (await shown()).cherryPicks,
    why: async () => (await admin.get(`${at}/whyNotMoving`)).body.release,
    readyEvents: async () =>
      (await reported(world)).filter(({ type }) => type === 'release.stepsReadyToSubmit').length,
    look,
  }
}

test.group('Requested cherry-picks', () => {
  test('keep a hotfix from being ready until each is in or dismissed', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeConflicting(cleanup)
    const { fix, shown, picks, why, dismiss, readyEvents, admin, at } = made
    const before = await readyEvents()
    assert.isFalse((await shown()).readyToSubmit)
    assert.equal(await readyEvents(), before)
    const [pick] = await picks()
    assert.containsSubset(pick, { hash: fix, status: 'failed', pickedAs: null, dismissedBy: null })
    assert.include(pick.failure, 'a.txt')
    assert.containsSubset(await why(), [{ code: 'cherry_pick_failed' }])
    assert.isFalse((await admin.put(`${at}/submit`)).status === 200)

    const dismissed = await dismiss({ dismissed: true, reason: 'Mended on the server.' })
    assert.equal(dismissed.status, 200, dismissed.text)
    assert.containsSubset(dismissed.body.cherryPicks, [
      { status: 'dismissed', dismissedReason: 'Mended on the server.' },
    ])
    assert.isTrue(dismissed.body.readyToSubmit)
    assert.equal(await readyEvents(), before + 1)
    assert.isEmpty((await why()).filter(({ code }: any) => code.startsWith('cherry_pick')))
    const back = await dismiss({ dismissed: false })
    assert.equal(back.status, 200, back.text)
    assert.containsSubset(back.body.cherryPicks, [{ status: 'failed', dismissedReason: null }])
    assert.isFalse(back.body.readyToSubmit)
    const repeated = await dismiss({ dismissed: false }, fix.slice(0, 9).toUpperCase())
    assert.deepEqual(repeated.body, back.body)
  })

  test('count as picked once somebody brought them to the branch by hand', async ({
    assert,
    cleanup,
  }) => {
    const { repository, fix, look, picks, dismiss } = await makeConflicting(cleanup)
    repository.commit({ branch: 'hotfix/1.0.1', message: 'Other', files: { 'z.txt': 'z\n' } })
    await look()
    assert.containsSubset(await picks(), [{ status: 'failed' }])
    const hash = repository.commit({
      branch: 'hotfix/1.0.1',
      message: `The fix\n\n(cherry picked from commit ${fix})`,
      files: { 'a.txt': 'c\n' },
    })
    await look()
    assert.containsSubset(await picks(), [{ status: 'picked', failure: null, pickedAs: hash }])
    const { status, body } = await dismiss({ dismissed: true, reason: 'Too late' })
    assert.deepEqual([status, body.code], [409, 'cherry_pick_in'])
  })

  test('404, 422 and 403 change nothing', async ({ assert, cleanup }) => {
    const { dismiss, picks, at, fix, admin } = await makeConflicting(cleanup)
    const before = await picks()
    const unknown = 'f'.repeat(40)
    assert.equal((await dismiss({ dismissed: true, reason: 'No' }, unknown)).status, 404)
    assert.equal((await dismiss({ dismissed: true, reason: 'No' }, fix.slice(0, 3))).status, 404)
    for (const body of [
      {},
      { dismissed: 'yes' },
      { dismissed: true },
      { dismissed: true, reason: ' ' },
    ]) {
      assert.equal((await dismiss(body)).status, 422, JSON.stringify(body))
    }
    const { admin: stranger } = await makeWorld()
    const other = await stranger.put(`${at}/cherryPick/${fix}`, { dismissed: true, reason: 'No' })
    assert.equal(other.status, 404)
    assert.deepEqual(await picks(), before)
    await admin.put(`${at}/skip`, { reason: 'Folded' })
    const late = await dismiss({ dismissed: true, reason: 'No' })
    assert.deepEqual([late.status, late.body.code], [409, 'release_skipped'])
  })
})
