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
  test('is there with all that the working branch has, by one merge', async ({
    assert,
    cleanup,
  }) => {
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

  test('that conflicts is left for a person with its files, and tried once', async ({
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

  test('is another content to approve than its commits alone', async ({ assert, cleanup }) => {
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

  test('brings what was there when it was asked for, and nothing that came later', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, look, admin, requests, subjects } = await makeLate(cleanup, two)
    await admin.put(form(requests), { fourEyes: false })
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    await look()
    const id = await ask({ commitHashes: [fix], wayIn: 'backMerge' })
    assert.equal((await show(id)).mergesCommit, fix)
    // The branch goes on while people decide.
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

  test('loses approvals for what the working branch was forced away from', async ({
    assert,
    cleanup,
  }) => {
    const { repository, ask, show, look, admin, requests, tip } = await makeLate(cleanup, two)
    await admin.put(form(requests), { fourEyes: false, requiredApprovals: 2 })
    const files = { 'fix.txt': '1' }
    repository.commit({ message: 'Secret', files: { 'secret.txt': '1' } })
    const fix = repository.commit({ message: 'Fix (#41)', files })
    await look()
    const id = await ask({ pullRequestNumbers: [41], wayIn: 'backMerge' })
    await approve(admin, requests, id)
    const asked = await show(id)
    assert.deepEqual([asked.mergesCommit, asked.approvals.length], [fix, 1])
    repository.git('update-ref', 'refs/heads/main', 'refs/heads/main~2')
    await look()
    // There is nothing to merge any more.
    const gone = await show(id)
    assert.deepEqual([gone.mergesCommit, gone.approvals.length], [null, 0])
    const again = repository.commit({ message: 'Fix (#41)', files })
    await look()
    const shown = await show(id)
    assert.deepEqual([shown.status, shown.mergesCommit, shown.approvals], ['pending', again, []])
    assert.notEqual(tip(), again)
  })

  test('that conflicts stays with a person, whatever the working branch comes to', async ({
    assert,
    cleanup,
  }) => {
    const { repository, conflicting, ask, show, look, tip, timeline } = await makeLate(cleanup)
    const fix = conflicting()
    await look()
    const before = tip()
    const id = await ask({ commitHashes: [fix], wayIn: 'backMerge' })
    // The branch goes on before anybody was asked, and is looked at in between.
    repository.commit({ message: 'On it goes', files: { 'more.txt': '1' } })
    await look()
    await workAway()
    assert.equal((await show(id)).status, 'failed')
    for (const name of ['a', 'b']) {
      repository.commit({ message: `More ${name}`, files: { [`${name}.txt`]: '1' } })
      await look()
      await workAway()
    }
    // It is forced to where it would apply.
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
