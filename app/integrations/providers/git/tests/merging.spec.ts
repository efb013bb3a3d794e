import { join } from 'node:path'
import { test } from '@japa/runner'
import { failure, mutation, reported, versionControl } from './support/contexts.js'
import { makeFolder, TestRepository } from './support/repositories.js'

function setUp(cleanup: Parameters<typeof makeFolder>[0]) {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'app.git'))
  const root = repository.commit({ files: { 'a.txt': 'a\n' } })
  repository.git('branch', 'release/1', root)
  const git = versionControl({ baseUrl: folder, home: folder })
  return { repository, git, root }
}

test.group('git | merging a branch back', () => {
  test('makes a commit of its own of both, once', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    const theirs = repository.commit({ branch: 'release/1', files: { 'b.txt': 'b\n' } })
    const ours = repository.commit({ files: { 'c.txt': 'c\n' } })
    const merged = await git.mergeBranch('release/1', 'main', 'Merge back', mutation('a'))
    assert.isTrue(merged.isMerged)
    assert.equal(repository.git('log', '-1', '--format=%P', 'main'), `${ours} ${theirs}`)
    assert.equal(repository.git('log', '-1', '--format=%s', 'main'), 'Merge back')
    assert.deepEqual(
      await git.mergeBranch('release/1', 'main', 'Merge back', mutation('a')),
      merged
    )
    const again = await git.mergeBranch('release/1', 'main', 'Merge back', mutation('b'))
    assert.deepEqual(again, { sha: merged.sha, isMerged: false })
    assert.equal(repository.refs().get('refs/heads/main'), merged.sha)
    assert.isTrue(repository.isSound())
  })

  test('also where the other could simply be moved on', async ({ assert, cleanup }) => {
    const { repository, git, root } = setUp(cleanup)
    const theirs = repository.commit({ branch: 'release/1' })
    await git.mergeBranch('release/1', 'main', 'Merge back', mutation())
    assert.equal(repository.git('log', '-1', '--format=%P', 'main'), `${root} ${theirs}`)
  })

  test('brings a commit by its hash with all before it, and nothing after it', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    const theirs = repository.commit({ branch: 'release/1', files: { 'b.txt': 'b\n' } })
    repository.commit({ branch: 'release/1', files: { 'later.txt': 'later\n' } })
    const ours = repository.commit({ files: { 'c.txt': 'c\n' } })
    await git.mergeBranch(theirs, 'main', 'Merge back', mutation('a'))
    assert.equal(repository.git('log', '-1', '--format=%P', 'main'), `${ours} ${theirs}`)
    const again = await git.mergeBranch(theirs, 'main', 'Merge back', mutation('b'))
    assert.isFalse(again.isMerged)
    const nobodys = git.mergeBranch('f'.repeat(40), 'main', 'Merge back', mutation())
    assert.equal(await reported(nobodys), 'notFound commit notApplied')
  })

  test('names files in conflict and leaves nothing behind', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    repository.commit({ branch: 'release/1', files: { 'a.txt': 'b\n' } })
    repository.commit({ files: { 'a.txt': 'c\n' } })
    const before = repository.refs()
    const { code, detail } = await failure(
      git.mergeBranch('release/1', 'main', 'Merge back', mutation())
    )
    assert.deepEqual(
      [code, detail.reason, detail.fields],
      ['conflict', 'merge', [{ path: 'a.txt', message: 'is in conflict' }]]
    )
    assert.deepEqual(repository.refs(), before)
  })

  test('merges no branch that is not there, none of another history, none without a message', async ({
    assert,
    cleanup,
  }) => {
    const { repository, git } = setUp(cleanup)
    repository.commit({ branch: 'alien' })
    const merge = (from: string, message = 'Merge') =>
      reported(git.mergeBranch(from, 'main', message, mutation()))
    assert.equal(await merge('nowhere'), 'notFound branch notApplied')
    assert.equal(await merge('alien'), 'conflict unrelated notApplied')
    assert.equal(await merge('release/1', ' '), 'invalid message notApplied')
    assert.equal(await merge('--upload-pack=x'), 'invalid name notApplied')
  })
})

test.group('git | committing over a file', () => {
  test('is refused once somebody has changed it', async ({ assert, cleanup }) => {
    const { repository, git } = setUp(cleanup)
    const { sha } = (await git.readFile('a.txt', 'main'))!
    const change = { path: 'a.txt', text: 'x\n', replaces: sha }
    const theirs = repository.commit({ files: { 'a.txt': 'y\n' } })
    const commit = () => git.commitFiles('main', [change], 'Change', mutation())
    assert.equal(await reported(commit()), 'conflict changed notApplied')
    assert.equal(repository.refs().get('refs/heads/main'), theirs)
    repository.commit({ files: { 'a.txt': null } })
    assert.equal(await reported(commit()), 'conflict changed notApplied')
    repository.commit({ files: { 'a.txt': 'a\n' } })
    await commit()
    assert.equal(repository.git('show', 'main:a.txt'), 'x')
  })
})
