import { test } from '@japa/runner'
import { codeKind } from '#features/work_kinds'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCH, makeLate } from './late.js'

const waits = { settings: { requireFixApprovals: true } }

test.group('Fix requests while other things change', () => {
  test('keep the rules that they were made under', async ({ assert, cleanup }) => {
    const { repository, ask, show, admin, requests, subjects } = await makeLate(cleanup, waits)
    const form = `${requests.replace(/\/release\/.*/, '')}/fixRequestFormFieldsSettings`
    await admin.put(form, { requiredApprovals: 1, fourEyes: false })
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    const id = await ask({ commitHashes: [fix] })
    const fields = [{ id: 'risk', label: 'Risk', type: 'text', required: true }]
    await admin.put(form, { requiredApprovals: 5, fourEyes: true, fields })
    assert.equal((await admin.put(`${requests}/${id}/approve`)).status, 200)
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.deepEqual(subjects(), ['Fix', 'Of the release'])
  })

  test('go on waiting when approvals are switched off, and new ones do not wait', async ({
    assert,
    cleanup,
  }) => {
    const { ask, show, admin, requests } = await makeLate(cleanup, waits)
    const form = `${requests.replace(/\/release\/.*/, '')}/fixRequestFormFieldsSettings`
    const id = await ask({})
    assert.equal((await admin.put(form, { requireFixApprovals: false })).status, 200)
    await workAway()
    assert.equal((await show(id)).status, 'pending')
  })

  test('bring nothing more into a completed release', async ({ assert, cleanup }) => {
    const { repository, ask, show, admin, path, subjects } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    const id = await ask({ commitHashes: [fix] })
    await admin.put(`${path('1.0.0')}/complete`)
    await workAway()
    assert.deepEqual(subjects(), ['Of the release'])
    assert.equal((await show(id)).status, 'approved')
  })

  test('are merged if the release is completed while they are picked', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, admin, path, meanwhile, subjects } = await makeLate(cleanup)
    const one = repository.commit({ message: 'One', files: { 'one.txt': '1' } })
    const two = repository.commit({ message: 'Two', files: { 'two.txt': '1' } })
    const first = await ask({ commitHashes: [one] })
    const second = await ask({ commitHashes: [two] })
    meanwhile.picked = () => admin.put(`${path('1.0.0')}/complete`)
    await workAway()
    assert.deepEqual(subjects(), ['One', 'Of the release'])
    assert.deepEqual(
      [(await show(first)).status, (await show(second)).status],
      ['merged', 'approved']
    )
  })

  test('that are rejected while they are picked stay rejected', async ({ assert, cleanup }) => {
    const { repository, ask, show, admin, requests, meanwhile, events } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    const id = await ask({ commitHashes: [fix] })
    meanwhile.picked = () => admin.put(`${requests}/${id}/reject`)
    await workAway()
    assert.equal((await show(id)).status, 'rejected')
    assert.notInclude(
      (await events()).map(({ type }) => type),
      'fixRequest.merged'
    )
  })

  test('come in after all when a skipped release is taken up again', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, admin, path, subjects, look } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    const id = await ask({ commitHashes: [fix] })
    await admin.put(`${path('1.0.0')}/skip`)
    await workAway()
    assert.deepEqual(subjects(), ['Of the release'])
    const { status, text } = await admin.put(`${path('1.0.0')}/unskip`)
    assert.equal(status, 200, text)
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.deepEqual(subjects(), ['Fix', 'Of the release'])
  })

  test('come in if the release branch is forced elsewhere meanwhile', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, subjects, look } = await makeLate(cleanup)
    repository.commit({ branch: BRANCH, message: 'Mistake', files: { 'mistake.txt': '1' } })
    await look()
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    repository.git('update-ref', `refs/heads/${BRANCH}`, `refs/heads/${BRANCH}~1`)
    const id = await ask({ commitHashes: [fix] })
    await workAway()
    await look()
    assert.equal((await show(id)).status, 'merged')
    assert.deepEqual(subjects(), ['Fix', 'Of the release'])
  })

  test('are merged once by a pull request into both branches', async ({ assert, cleanup }) => {
    const { repository, ask, show, look, subjects } = await makeLate(cleanup)
    const id = await ask({ pullRequestNumbers: [50] })
    const files = { 'fix.txt': '1' }
    repository.commit({ message: 'Fix it (#50)', files })
    repository.commit({ branch: BRANCH, message: 'Fix it (#50)', files })
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.deepEqual(subjects(), ['Fix it (#50)', 'Of the release'])
  })

  test('bring what a merge brought if they name the merge', async ({ assert, cleanup }) => {
    const { repository, ask, show, look, subjects } = await makeLate(cleanup)
    repository.git('branch', 'topic', 'main')
    repository.commit({ branch: 'topic', message: 'Half', files: { 'a.txt': 'a' } })
    repository.commit({ branch: 'topic', message: 'Rest', files: { 'b.txt': 'b' } })
    repository.commit({ message: 'Beside it', files: { 'beside.txt': '1' } })
    const merge = repository.commit({ message: 'Merge topic', merge: 'refs/heads/topic' })
    await look()
    const id = await ask({ commitHashes: [merge] })
    await workAway()
    await look()
    assert.equal((await show(id)).status, 'merged')
    assert.deepEqual(subjects(), ['Rest', 'Half', 'Of the release'])
  })

  test('are picked as one if they name a merge that was not observed', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, look, subjects } = await makeLate(cleanup)
    repository.git('branch', 'topic', 'main')
    repository.commit({ branch: 'topic', message: 'Half', files: { 'a.txt': 'a' } })
    repository.commit({ branch: 'topic', message: 'Rest', files: { 'b.txt': 'b' } })
    const merge = repository.commit({
      message: 'Merge topic',
      merge: 'refs/heads/topic',
      files: { 'a.txt': 'a', 'b.txt': 'b' },
    })
    const id = await ask({ commitHashes: [merge] })
    await workAway()
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.deepEqual(subjects(), ['Merge topic', 'Of the release'])
    const files = repository.git('ls-tree', '--name-only', BRANCH).split('\n')
    assert.includeMembers(files, ['a.txt', 'b.txt'])
  })

  test('are merged by a squash onto the release branch that has their number', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, look, tip } = await makeLate(cleanup)
    repository.git('branch', 'topic', 'main')
    const half = repository.commit({ branch: 'topic', message: 'Half', files: { 'a.txt': 'a' } })
    repository.commit({ branch: 'topic', message: 'Rest', files: { 'b.txt': 'b' } })
    const id = await ask({ pullRequestNumbers: [51] })
    repository.commit({
      branch: BRANCH,
      message: 'Topic (#51)',
      files: { 'a.txt': 'a', 'b.txt': 'b' },
    })
    const before = tip()
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.equal(tip(), before)
    assert.notInclude(repository.git('rev-list', BRANCH), half)
  })

  test('bring nothing in if the working branch has reverted their code', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, look, subjects } = await makeLate(cleanup)
    const id = await ask({ pullRequestNumbers: [52] })
    const fix = repository.commit({ message: 'Fix (#52)', files: { 'fix.txt': '1' } })
    repository.commit({
      message: `Revert "Fix"\n\nThis reverts commit ${fix}.`,
      files: { 'fix.txt': null },
    })
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'approved')
    assert.deepEqual(subjects(), ['Of the release'])
  })

  test('are followed to a working branch of another name', async ({ assert, cleanup }) => {
    const { repository, ask, show, look, setBranches, subjects } = await makeLate(cleanup)
    const id = await ask({ pullRequestNumbers: [53] })
    repository.git('branch', '-m', 'main', 'trunk')
    await look()
    assert.equal((await show(id)).status, 'approved')
    await setBranches({ workingBranch: 'trunk' })
    repository.commit({ branch: 'trunk', message: 'Fix (#53)', files: { 'fix.txt': '1' } })
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.deepEqual(subjects(), ['Fix (#53)', 'Of the release'])
  })

  test('are merged whatever the order of polls', async ({ assert, cleanup }) => {
    const { repository, ask, show, world, app, look } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    const id = await ask({ commitHashes: [fix] })
    // The poll and the pick are due at once.
    await world.write(async (scope) => {
      const { id: subject } = await scope.table('releases').where('app_id', app).firstOrFail()
      await scope.jobs.move(codeKind, subject, scope.now)
    })
    await workAway()
    await look()
    assert.equal((await show(id)).status, 'merged')
  })
})
