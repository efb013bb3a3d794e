import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCH, makeLate } from './late.js'

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
    const { repository, ask, show, look, tip, timeline } = await makeLate(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'file.txt': 'two\n' } })
    repository.commit({ branch: BRANCH, message: 'Own', files: { 'file.txt': 'three\n' } })
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
    const told = await timeline('1.0.0')
    assert.lengthOf(
      told.filter(({ type }) => type === 'fix.backMergeFailed'),
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
})
