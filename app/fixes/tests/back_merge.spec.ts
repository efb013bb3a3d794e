import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import type { Api } from '#tests/support/api'
import { BRANCH, makeLate } from './late.js'

const two = { settings: { requireFixApprovals: true } }
const form = (requests: string) =>
  `${requests.replace(/\/release\/.*/, '')}/fixRequestFormFieldsSettings`
const approve = async (admin: Api, requests: string, id: string) => {
  const { mergesCommit } = (await admin.get(`${requests}/${id}`)).body
  const { status, text } = await admin.put(`${requests}/${id}/approve`, { mergesCommit })
  if (status !== 200) throw new Error(text)
}

test.group('A fix that comes in by merging the working branch', () => {
  test('brings everything in the working branch by one merge', async ({ assert, cleanup }) => {
    const { repository, ask, show, look, timeline, subjects } = await makeLate(cleanup)
    repository.commit({ message: 'Before it', files: { 'before.txt': '1' } })
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    await look()
    const id = await ask({ commitHashes: [fix], wayIn: 'backMerge' })
    await workAway()
    await workAway()
    const shown = await show(id)
    assert.deepEqual([shown.status, shown.wayIn], ['merged', 'backMerge'])
    assert.equal(repository.git('rev-parse', `${BRANCH}^2`), repository.git('rev-parse', 'main'))
    assert.includeMembers(subjects(), ['Fix', 'Before it', `Merge main into ${BRANCH}`])
    const types = (await timeline('1.0.0')).map(({ type }) => type)
    assert.include(types, 'fix.backMerged')
    assert.notInclude(types, 'release.commitPicked')
    await look()
    await look()
    assert.equal(subjects().filter((each) => each.startsWith('Merge')).length, 1)
  })

  test('waits until its code is in the working branch', async ({ assert, cleanup }) => {
    const { repository, ask, show, look, tip } = await makeLate(cleanup)
    repository.commit({ message: 'Something else', files: { 'else.txt': '1' } })
    await look()
    const before = tip()
    const id = await ask({ pullRequestNumbers: [40], wayIn: 'backMerge' })
    await workAway()
    assert.deepEqual([(await show(id)).status, tip()], ['approved', before])
    repository.commit({ message: 'Fix (#40)', files: { 'fix.txt': '1' } })
    await look()
    await workAway()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
  })

  test('is tried once and left to a person with its files if it conflicts', async ({
    assert,
    cleanup,
  }) => {
    const { repository, conflicting, ask, show, look, tip, timeline } = await makeLate(cleanup)
    const fix = conflicting()
    await look()
    const before = tip()
    const id = await ask({ commitHashes: [fix], wayIn: 'backMerge' })
    await workAway()
    const failed = await show(id)
    assert.equal(failed.status, 'failed')
    assert.containsSubset(failed.failure, { files: ['file.txt'] })
    assert.equal(tip(), before)
    repository.commit({ message: 'More', files: { 'more.txt': '1' } })
    await look()
    const reported = await timeline('1.0.0')
    assert.lengthOf(
      reported.filter(({ type }) => type === 'fix.backMergeFailed'),
      1
    )
    repository.commit({ branch: BRANCH, message: 'Merge main', merge: 'refs/heads/main' })
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
  })

  test('needs approvals of its own, other than for its commits alone', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, admin, path, look } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    await look()
    await ask({ commitHashes: [fix] })
    await ask({ commitHashes: [fix], wayIn: 'backMerge' })
    const { body } = await admin.get(`${path('1.0.0')}/evidence`)
    const [merge, pick] = body.fixes
    assert.equal(merge.content.wayIn, 'backMerge')
    assert.notProperty(pick.content, 'wayIn')
    assert.notEqual(merge.contentHash, pick.contentHash)
  })

  test('brings what was there when it was requested, and nothing that came later', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, look, admin, requests, subjects } = await makeLate(cleanup, two)
    await admin.put(form(requests), { fourEyes: false })
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    await look()
    const id = await ask({ commitHashes: [fix], wayIn: 'backMerge' })
    assert.equal((await show(id)).mergesCommit, fix)
    // The branch moves on while people decide.
    repository.commit({ message: 'Untested', files: { 'untested.txt': '1' } })
    await look()
    assert.equal((await show(id)).mergesCommit, fix)
    await approve(admin, requests, id)
    await workAway()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.equal(repository.git('rev-parse', `${BRANCH}^2`), fix)
    assert.notInclude(subjects(), 'Untested')
    const { body } = await admin.get(`${requests.replace('/fixRequest', '')}/evidence`)
    const reported = body.fixes.find((each: any) => each.id === id)
    assert.equal(reported.content.mergeHead, fix)
    assert.equal(reported.approvals[0].approvedHash, reported.contentHash)
  })

  test('loses approvals that were given before its code was there', async ({ assert, cleanup }) => {
    const made = await makeLate(cleanup, two)
    const { repository, ask, show, look, admin, requests, timeline, tip } = made
    await admin.put(form(requests), { fourEyes: false })
    const id = await ask({ pullRequestNumbers: [40], wayIn: 'backMerge' })
    assert.isNull((await show(id)).mergesCommit)
    await approve(admin, requests, id)
    assert.equal((await show(id)).status, 'approved')
    const before = tip()
    const fix = repository.commit({ message: 'Fix (#40)', files: { 'fix.txt': '1' } })
    await look()
    await workAway()
    const fallen = await show(id)
    assert.deepEqual(
      [fallen.status, fallen.mergesCommit, fallen.approvals, fallen.approvedAt],
      ['pending', fix, [], null]
    )
    assert.equal(tip(), before)
    const [entry] = (await timeline('1.0.0')).filter(({ type }) => type === 'fix.approvalsFell')
    assert.containsSubset(entry.data, { fixRequestId: id, mergeHead: { from: null, to: fix } })
    await approve(admin, requests, id)
    await workAway()
    await workAway()
    assert.equal((await show(id)).status, 'merged')
    assert.equal(repository.git('rev-parse', `${BRANCH}^2`), fix)
  })

  test('loses approvals of a commit that the working branch was forced away from', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeLate(cleanup, two)
    const { repository, ask, show, look, admin, requests, tip, timeline } = made
    await admin.put(form(requests), { fourEyes: false, requiredApprovals: 2 })
    const files = { 'fix.txt': '1' }
    repository.commit({ message: 'Secret', files: { 'secret.txt': '1' } })
    const fix = repository.commit({ message: 'Fix (#41)', files })
    await look()
    const id = await ask({ pullRequestNumbers: [41], wayIn: 'backMerge' })
    await approve(admin, requests, id)
    const requested = await show(id)
    assert.deepEqual([requested.mergesCommit, requested.approvals.length], [fix, 1])
    repository.git('update-ref', 'refs/heads/main', 'refs/heads/main~2')
    await look()
    // Nothing is left to merge.
    const gone = await show(id)
    assert.deepEqual([gone.mergesCommit, gone.approvals.length], [null, 0])
    const again = repository.commit({ message: 'Fix (#41)', files })
    await look()
    const shown = await show(id)
    assert.deepEqual([shown.status, shown.mergesCommit, shown.approvals], ['pending', again, []])
    assert.notEqual(tip(), again)
    const known = (await timeline('1.0.0')).filter(({ type }) => type === 'fix.mergeKnown')
    assert.lengthOf(known, 1)
    assert.containsSubset(known[0].data, { mergeHead: { from: null, to: again } })
  })

  test('stays with a person after a conflict, however the working branch moves', async ({
    assert,
    cleanup,
  }) => {
    const { repository, conflicting, ask, show, look, tip, timeline } = await makeLate(cleanup)
    const fix = conflicting()
    await look()
    const before = tip()
    const id = await ask({ commitHashes: [fix], wayIn: 'backMerge' })
    // The branch moves on before the host was asked, and is polled in between.
    repository.commit({ message: 'On it goes', files: { 'more.txt': '1' } })
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'failed')
    for (const name of ['a', 'b']) {
      repository.commit({ message: `More ${name}`, files: { [`${name}.txt`]: '1' } })
      await look()
      await workAway()
    }
    // It is forced to a commit that would apply.
    repository.git('update-ref', 'refs/heads/main', 'refs/heads/main~4')
    repository.commit({ message: 'Fix', files: { 'other.txt': 'two\n' } })
    await look()
    await workAway()
    const shown = await show(id)
    assert.deepEqual([shown.status, shown.mergesCommit, tip()], ['failed', fix, before])
    assert.deepEqual(
      shown.waitsFor.map(({ code }: any) => code),
      ['left_to_person']
    )
    const failures = (await timeline('1.0.0')).filter(({ type }) => type === 'fix.backMergeFailed')
    assert.lengthOf(failures, 1)
  })
})
