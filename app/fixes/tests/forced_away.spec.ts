import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCH, makeLate } from './late.js'

type Late = Awaited<ReturnType<typeof makeLate>>

/** Counts the timeline entries about lost code. */
const lost = async ({ timeline }: Late) =>
  (await timeline('1.0.0')).filter(({ type }) => type === 'fix.codeLost').length

test.group('Code that was brought in and not observed yet', () => {
  test('is reported lost if the branch was forced away from it', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { repository, ask, show, look, meanwhile, tip } = late
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    const before = tip()
    // Somebody forces the branch back as soon as the pick is there.
    meanwhile.picked = async () => void repository.git('update-ref', `refs/heads/${BRANCH}`, before)
    const id = await ask({ commitHashes: [fix] })
    await workAway()
    await look()
    const shown = await show(id)
    assert.deepEqual([shown.status, shown.mergedAt], ['failed', null])
    assert.equal(shown.failure.commitHash, fix)
    assert.deepEqual([await lost(late), tip()], [1, before])
    await look()
    assert.deepEqual([await lost(late), tip()], [1, before])
    const note = `Fix\n\n(cherry picked from commit ${fix})`
    repository.commit({ branch: BRANCH, message: note, files: { 'fix.txt': '1' } })
    await look()
    assert.equal((await show(id)).status, 'merged')
  })

  test('is reported lost even if something else came in its place', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { repository, ask, show, look, meanwhile, subjects } = late
    const files = { 'fix.txt': '1' }
    repository.git('branch', 'apart', 'main')
    const known = repository.commit({ message: 'Fix (#7)', files })
    const apart = repository.commit({ branch: 'apart', message: 'Apart', files: { 'a.txt': 'a' } })
    await look()
    meanwhile.picked = async () => {
      repository.git('update-ref', `refs/heads/${BRANCH}`, `refs/heads/${BRANCH}~1`)
      repository.commit({ branch: BRANCH, message: 'Else', files: { 'else.txt': '1' } })
    }
    const ids = [await ask({ pullRequestNumbers: [7] }), await ask({ commitHashes: [apart] })]
    await workAway()
    await look()
    await look()
    for (const id of ids) assert.equal((await show(id)).status, 'failed')
    assert.equal((await show(ids[0])).failure.commitHash, known)
    assert.equal(await lost(late), 2)
    assert.notInclude(subjects(), 'Fix (#7)')
  })

  test('is reported lost if only half of it is there', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { repository, ask, show, look, meanwhile } = late
    repository.commit({ message: 'One (#7)', files: { 'one.txt': '1' } })
    const two = repository.commit({ message: 'Two (#7)', files: { 'two.txt': '1' } })
    await look()
    let picked = 0
    meanwhile.picked = async () => {
      if (++picked === 2) {
        repository.git('update-ref', `refs/heads/${BRANCH}`, `refs/heads/${BRANCH}~1`)
      }
    }
    const id = await ask({ pullRequestNumbers: [7] })
    await workAway()
    await look()
    const shown = await show(id)
    assert.deepEqual([picked, shown.status, shown.failure?.commitHash], [2, 'failed', two])
    assert.equal(await lost(late), 1)
  })

  test('is merged if a poll shows it under any hash', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { repository, ask, show, look, meanwhile } = late
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    meanwhile.picked = async () => {
      repository.git('update-ref', `refs/heads/${BRANCH}`, `refs/heads/${BRANCH}~1`)
      repository.commit({ branch: BRANCH, message: 'Before it', files: { 'before.txt': '1' } })
      repository.commit({ branch: BRANCH, message: 'Fix', files: { 'fix.txt': '1' } })
    }
    const id = await ask({ commitHashes: [fix] })
    await workAway()
    await look()
    assert.deepEqual([(await show(id)).status, await lost(late)], ['merged', 0])
    repository.git('update-ref', `refs/heads/${BRANCH}`, `refs/heads/${BRANCH}~1`)
    await look()
    assert.deepEqual([(await show(id)).status, await lost(late)], ['failed', 1])
  })

  test('is left to a person if it was a merge of the working branch', async ({
    assert,
    cleanup,
  }) => {
    const late = await makeLate(cleanup)
    const { repository, ask, show, look, meanwhile, tip } = late
    const fix = repository.commit({ message: 'Fix (#40)', files: { 'fix.txt': '1' } })
    await look()
    const before = tip()
    meanwhile.merged = async () => void repository.git('update-ref', `refs/heads/${BRANCH}`, before)
    const id = await ask({ pullRequestNumbers: [40], wayIn: 'backMerge' })
    await workAway()
    await look()
    const shown = await show(id)
    assert.deepEqual([shown.status, shown.failure?.commitHash, tip()], ['failed', fix, before])
    assert.equal(await lost(late), 1)
    repository.commit({ branch: BRANCH, message: 'Merge main', merge: 'refs/heads/main' })
    await look()
    assert.equal((await show(id)).status, 'merged')
  })
})
