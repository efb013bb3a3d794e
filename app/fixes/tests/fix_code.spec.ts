import { test } from '@japa/runner'
import { openPull } from '#features/tests/support'
import { workAway } from '#releases/tests/helpers/code_world'
import { releaseStillThere } from '#releases/queries/find_release'
import { yieldsOf } from '#tests/support/yields'
import { followFixes } from '../code/follow_fixes.js'
import FixRequest from '../models/fix_request.js'
import { BRANCH, makeLate } from './late.js'

test.group('The code of an approved fix request', () => {
  test('is picked onto the release branch, once, and the request is merged', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, subjects, tip, events, look, timeline } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix it', files: { 'fix.txt': 'fixed\n' } })
    const before = tip()
    const id = await ask({ commitHashes: [fix] })
    await workAway()
    const shown = await show(id)
    assert.equal(shown.status, 'merged')
    assert.isNull(shown.failure)
    assert.isString(shown.mergedAt)
    assert.containsSubset(shown.commits, [{ hash: fix, inRelease: true }])
    assert.deepEqual(subjects(), ['Fix it', 'Of the release'])
    // For git, both are the same change.
    assert.match(repository.git('cherry', BRANCH, 'main', 'v0.9.0'), new RegExp(`^- ${fix}$`, 'm'))
    assert.equal(repository.git('rev-parse', `${BRANCH}^`), before)
    await look()
    await look()
    assert.deepEqual(subjects(), ['Fix it', 'Of the release'])
    const recorded = await events()
    assert.deepEqual(
      recorded.map(({ type }) => type),
      ['fixRequest.created', 'fixRequest.approved', 'fixRequest.merged']
    )
    assert.containsSubset(recorded[2].payload.fixRequest, { id, status: 'merged' })
    const [picked] = (await timeline('1.0.0')).filter(({ type }) => type === 'release.commitPicked')
    assert.containsSubset(picked.data, { fixRequestId: id, commitHash: fix, pickedAs: tip() })
  })

  test('is requested with the thread yielded in between if it has many commits', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, world, look, show } = await makeLate(cleanup)
    const names = Array.from({ length: 12 }, (_, index) => `${index}`)
    const many = names.map((name) => repository.commit({ message: name, files: { [name]: name } }))
    await look()
    const id = await ask({ commitHashes: many })
    const turns = await world.write(async (scope) => {
      const row = await scope.query(FixRequest).where('id', id).firstOrFail()
      await scope.lock('apps', row.appId)
      const found = await releaseStillThere(scope, row.appId, row.releaseId)
      return yieldsOf(() => followFixes(scope, found!))
    })
    assert.isAtLeast(turns, many.length)
    await workAway()
    assert.equal((await show(id)).status, 'merged')
  })

  test('waits for the approvals it needs, and is not picked once it is rejected', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, subjects, admin, requests } = await makeLate(cleanup, {
      settings: { requireFixApprovals: true },
    })
    await admin.put(`${requests.replace(/\/release\/.*/, '')}/fixRequestFormFieldsSettings`, {
      fourEyes: false,
    })
    const one = repository.commit({ message: 'One', files: { 'one.txt': '1' } })
    const two = repository.commit({ message: 'Two', files: { 'two.txt': '2' } })
    const first = await ask({ commitHashes: [one] })
    const second = await ask({ commitHashes: [two] })
    await workAway()
    assert.deepEqual(subjects(), ['Of the release'])
    assert.equal((await admin.put(`${requests}/${first}/approve`)).status, 200)
    await admin.put(`${requests}/${second}/approve`)
    await admin.put(`${requests}/${second}/reject`)
    await workAway()
    assert.deepEqual(subjects(), ['One', 'Of the release'])
    assert.deepEqual(
      [(await show(first)).status, (await show(second)).status],
      ['merged', 'rejected']
    )
  })

  test('is left to a person with its files if it conflicts, and merged once they bring it', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, tip, look, timeline, events } = await makeLate(cleanup)
    repository.commit({ message: 'Between', files: { 'file.txt': 'two\n' } })
    const fix = repository.commit({ message: 'Fix', files: { 'file.txt': 'three\n' } })
    const before = tip()
    const id = await ask({ commitHashes: [fix] })
    await workAway()
    const failed = await show(id)
    assert.equal(failed.status, 'failed')
    assert.containsSubset(failed.failure, { commitHash: fix, files: ['file.txt'] })
    assert.equal(tip(), before)
    const [entry] = (await timeline('1.0.0')).filter(({ type }) => type === 'fix.cherryPickFailed')
    assert.containsSubset(entry.data, { fixRequestId: id, commitHash: fix, files: ['file.txt'] })
    await look()
    assert.equal((await show(id)).status, 'failed')

    repository.commit({
      branch: BRANCH,
      message: `Fix, as it fits here\n\n(cherry picked from commit ${fix})`,
      files: { 'file.txt': 'resolved\n' },
    })
    await look()
    await workAway()
    const merged = await show(id)
    assert.deepEqual([merged.status, merged.failure], ['merged', null])
    assert.equal((await events()).at(-1)!.type, 'fixRequest.merged')
  })

  test('is picked once a named pull request or ticket is in the working branch', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, subjects, look, tracker } = await makeLate(cleanup)
    tracker.set('SHOP-8', { done: true })
    const pull = await ask({ pullRequestNumbers: [31] })
    const ticket = await ask({ ticketId: 'shop-8' })
    await workAway()
    assert.deepEqual(subjects(), ['Of the release'])
    repository.git('branch', 'topic', 'main')
    repository.commit({ branch: 'topic', message: 'Half', files: { 'a.txt': 'a' } })
    repository.commit({ branch: 'topic', message: 'Other half', files: { 'b.txt': 'b' } })
    repository.commit({
      message: 'Merge pull request #31 from acme/topic\n\nBoth',
      merge: 'refs/heads/topic',
    })
    repository.commit({ message: 'SHOP-8 By ticket', files: { 'c.txt': 'c' } })
    await look()
    await workAway()
    assert.deepEqual([(await show(pull)).status, (await show(ticket)).status], ['merged', 'merged'])
    assert.deepEqual(subjects(), ['SHOP-8 By ticket', 'Other half', 'Half', 'Of the release'])
  })

  test('includes that of the former key of a moved ticket', async ({ assert, cleanup }) => {
    const { repository, ask, show, subjects, look, tracker } = await makeLate(cleanup)
    tracker.set('SHOP-8', { done: true })
    repository.commit({ message: 'SHOP-8 By ticket', files: { 'c.txt': 'c' } })
    tracker.move('SHOP-8', 'STORE-8')
    await look()
    const id = await ask({ ticketId: 'STORE-8' })
    await workAway()
    await look()
    assert.equal((await show(id)).status, 'merged')
    assert.deepEqual(subjects(), ['SHOP-8 By ticket', 'Of the release'])
  })

  test('is not picked if somebody has picked or merged it already', async ({ assert, cleanup }) => {
    const { repository, ask, show, tip, look } = await makeLate(cleanup)
    const picked = repository.commit({ message: 'Picked', files: { 'p.txt': 'p' } })
    repository.commit({ branch: BRANCH, message: 'Picked', files: { 'p.txt': 'p' } })
    repository.git('branch', 'fix', BRANCH)
    const merged = repository.commit({ branch: 'fix', message: 'Merged', files: { 'm.txt': 'm' } })
    repository.commit({ branch: BRANCH, message: 'Merge fix', merge: 'refs/heads/fix' })
    const before = tip()
    // The branch was not polled since.
    const ids = [await ask({ commitHashes: [picked] }), await ask({ commitHashes: [merged] })]
    await look()
    for (const id of ids) assert.equal((await show(id)).status, 'merged')
    assert.equal(tip(), before)
  })

  test('is refused if the release already has it, and nothing is stored', async ({
    assert,
    cleanup,
  }) => {
    const { repository, requests, admin, look, events, ask } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix it (#31)', files: { 'fix.txt': 'fixed' } })
    const note = `Fix it\n\n(cherry picked from commit ${fix})`
    const pick = repository.commit({ branch: BRANCH, message: note, files: { 'fix.txt': 'fixed' } })
    const own = repository.git('rev-parse', `${BRANCH}~1`)
    await look()
    for (const body of [
      { commitHashes: [fix] },
      { commitHashes: [pick.slice(0, 10), own] },
      { pullRequestNumbers: [31], ticketId: 'SHOP-1' },
    ]) {
      const response = await admin.post(requests, { title: 'Again', ...body })
      assert.deepEqual([response.status, response.body.code], [409, 'code_already_in'])
    }
    assert.isEmpty((await admin.get(requests)).body)
    assert.isEmpty(await events())
    // Code that is missing in part, or may still come, is requested.
    const later = repository.commit({ message: 'Later', files: { 'later.txt': '1' } })
    await ask({ commitHashes: [fix, later] })
    await ask({ ticketId: 'SHOP-1' })
  })

  test('is not requested for a skipped release', async ({ assert, cleanup }) => {
    const { repository, ask, show, subjects, admin, path } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': 'f' } })
    const id = await ask({ commitHashes: [fix] })
    await admin.put(`${path('1.0.0')}/skip`)
    await workAway()
    assert.deepEqual(subjects(), ['Of the release'])
    assert.equal((await show(id)).status, 'approved')
  })
})

test.group('enableFixStatusChecks', () => {
  test('makes pull requests into the release branch wait for an approval', async ({
    assert,
    cleanup,
  }) => {
    const { repository, statuses, pulls, ask, look, admin, requests } = await makeLate(cleanup, {
      settings: { requireFixApprovals: true, enableFixStatusChecks: true },
    })
    await admin.put(`${requests.replace(/\/release\/.*/, '')}/fixRequestFormFieldsSettings`, {
      fourEyes: false,
    })
    repository.git('branch', 'fix', BRANCH)
    const sha = repository.commit({ branch: 'fix', message: 'Fix' })
    pulls.push(openPull(40, { base: BRANCH, sha }), openPull(41, { base: 'main' }))
    const turn = async () => {
      await look()
      await workAway()
      return statuses.map((each) => `${each.sha === sha} ${each.state}`)
    }
    assert.deepEqual(await turn(), ['true pending'])
    const id = await ask({ pullRequestNumbers: [40] })
    assert.deepEqual(await turn(), ['true pending'])
    await admin.put(`${requests}/${id}/approve`)
    assert.deepEqual(await turn(), ['true pending', 'true success'])
    await admin.put(`${requests}/${id}/reject`)
    assert.deepEqual(await turn(), ['true pending', 'true success', 'true pending'])
  })
})
