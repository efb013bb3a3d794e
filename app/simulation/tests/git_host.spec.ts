import { join } from 'node:path'
import type { TestContext } from '@japa/runner/core'
import { test } from '@japa/runner'
import { makeFolder, TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { isProviderError } from '#plugin-kit/provider_error'
import { yaml } from '#tests/support/requests'
import { worldHost } from '../world_host.js'
import { inWorld, mutation } from './support/world_plugins.js'

const reasonOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    (error) => (isProviderError(error) ? (error.detail.reason ?? error.code) : String(error))
  )

/** Returns a world that is the host of a real repository, with a branch beside `main`. */
async function hosted(cleanup: TestContext['cleanup'], scenario = '') {
  const folder = makeFolder(cleanup)
  const repository = new TestRepository(join(folder, 'shop.git'))
  const begun = repository.commit({ files: { 'version.txt': '1.0.0\n' } })
  repository.git('branch', 'fix', begun)
  const used = {
    versionControl: { plugin: 'sim-git', type: 'sim-git-vcs', data: { repoName: 'shop.git' } },
  }
  const world = await inWorld('hosted', used, undefined, [`--repositories=${folder}`])
  const { admin, organizationId } = world.of
  const at = `/org/${organizationId}/simulatedWorld/scenario`
  const text = `name: Hosted\nseed: hosted\nversionControl: { failingChecks: 0, changesRequested: 0${scenario} }\n`
  const { status, text: result } = await admin.put(at, undefined, yaml(text))
  if (status !== 200) throw new Error(result)
  return { ...world, repository, code: await world.capability('versionControl') }
}

/** Returns the same with an open merge request. */
async function withRequest(cleanup: TestContext['cleanup']) {
  const made = await hosted(cleanup)
  const sha = made.repository.commit({ branch: 'fix', files: { 'fix.txt': 'one\n' }, at: now() })
  const open = await made.code.openPullRequest!('fix', 'main', 'Fix it', '', mutation())
  return { ...made, sha, number: open.number }
}

/**
 * Runs a function before the world handles a report of some kind. Its response, if any, replaces
 * that of the world.
 * @returns a function that ends this
 */
function whenReported(
  cleanup: TestContext['cleanup'],
  kind: string,
  intercept: () => Response | void
): () => void {
  const { answer: result } = worldHost
  const restore = () => void (worldHost.answer = result)
  cleanup(restore)
  worldHost.answer = async (request) =>
    (request.url.endsWith(kind) && intercept()) || result(request)
  return restore
}

const unavailable = () => Response.json({ message: 'Away' }, { status: 503 })

test.group('The git host of a world, over a real repository', () => {
  test('has merge requests with commits of git, checks them, and merges them in git', async ({
    assert,
    cleanup,
  }) => {
    const { repository, code, advance } = await hosted(cleanup)
    const sha = repository.commit({ branch: 'fix', files: { 'fix.txt': 'fixed\n' }, at: now() })
    const open = await code.openPullRequest!('fix', 'main', 'Fix it', 'Why', mutation())
    assert.deepEqual([open.sha, open.status.state, open.mergeable], [sha, 'open', true])
    assert.equal(open.checks.state, 'pending')
    const again = await code.openPullRequest!('fix', 'main', 'Fix it', 'Why', mutation())
    assert.equal(again.number, open.number)
    const found = await code.pullRequestsForCommit!(sha)
    assert.deepEqual(
      found.map(({ number }) => number),
      [open.number]
    )
    await advance('1h')
    assert.equal((await code.getPullRequest!(open.number))?.checks.state, 'passing')
    const mark = { name: 'tarmac/fix-request', state: 'failure', description: 'No' } as const
    await code.setStatus!(sha, mark, mutation())
    assert.equal((await code.getPullRequest!(open.number))?.checks.state, 'failing')

    const next = repository.commit({ branch: 'fix', files: { 'fix.txt': 'more\n' }, at: now() })
    const stale = code.mergePullRequest!(open.number, 'merge', sha, mutation())
    assert.equal(await reasonOf(stale), 'pullChanged')
    const merged = await code.mergePullRequest!(open.number, 'merge', next, mutation())
    assert.equal(merged.status.state, 'merged')
    assert.equal(repository.git('show', 'main:fix.txt'), 'more')
    assert.match(repository.git('log', '-1', '--format=%s', 'main'), /^Fix it \(#1\)$/)
    assert.deepEqual((await code.listOpenPullRequests!()).items, [])
    assert.equal((await code.pullRequestsForCommit!(sha))[0].status.state, 'merged')
    assert.closeTo(Date.parse(merged.mergedAt!) - Date.now(), 3_600_000, 60_000)
    await advance('1h')
    const later = await code.getPullRequest!(open.number)
    assert.deepEqual([later?.checks.state, later?.mergeable], ['passing', null])
  })

  for (const [what, cutOff] of [
    ['the world is away', unavailable],
    ['its token is refused', () => Response.json({ message: 'Revoked' }, { status: 401 })],
  ] as const) {
    test(`pushed commits are merged, even if ${what} when it is reported`, async ({
      assert,
      cleanup,
    }) => {
      const { repository, code, advance } = await hosted(cleanup, ', protected: [main], review: 0m')
      const first = repository.commit({ branch: 'fix', files: { 'fix.txt': 'one\n' }, at: now() })
      const { number } = await code.openPullRequest!('fix', 'main', 'Fix it', '', mutation())
      const sha = repository.commit({ branch: 'fix', files: { 'fix.txt': 'two\n' }, at: now() })
      await advance('1h')
      const restore = whenReported(cleanup, '/merged', cutOff)
      const key = mutation()
      const merged = await code.mergePullRequest!(number, 'merge', sha, key)
      assert.equal(merged.status.state, 'merged')
      assert.equal(repository.git('show', 'main:fix.txt'), 'two')
      const tip = repository.refs().get('refs/heads/main')
      restore()
      // The branch is deleted, as is usual after a merge.
      repository.git('branch', '-D', 'fix')
      const reported = await code.getPullRequest!(number)
      assert.deepEqual([reported?.status.state, reported?.checks.state], ['merged', 'passing'])
      assert.deepEqual((await code.listOpenPullRequests!()).items, [])
      for (const each of [first, sha]) {
        const [found] = await code.pullRequestsForCommit!(each)
        assert.deepEqual([found?.number, found?.status.state], [number, 'merged'])
      }
      for (const again of [key, mutation()]) {
        const pull = await code.mergePullRequest!(number, 'merge', sha, again)
        assert.equal(pull.status.state, 'merged')
        assert.isString(pull.mergedAt)
      }
      assert.equal(repository.refs().get('refs/heads/main'), tip, 'nothing is merged twice')
    })
  }

  test('pushed commits are merged, even if more are pushed before the world knows it', async ({
    assert,
    cleanup,
  }) => {
    const { repository, code, advance, sha, number } = await withRequest(cleanup)
    await advance('1h')
    const restore = whenReported(cleanup, '/merged', unavailable)
    const key = mutation()
    await code.mergePullRequest!(number, 'merge', sha, key)
    restore()
    const tip = repository.refs().get('refs/heads/main')
    const next = repository.commit({ branch: 'fix', files: { 'fix.txt': 'two\n' }, at: now() })

    // The first poll informs the world, which then knows.
    for (let look = 0; look < 2; look++) {
      const reported = await code.getPullRequest!(number)
      assert.deepEqual([reported?.status.state, reported?.sha], ['merged', sha])
      assert.deepEqual((await code.listOpenPullRequests!()).items, [])
      assert.lengthOf(await code.pullRequestsForCommit!(next), 0)
      const [found] = await code.pullRequestsForCommit!(sha)
      assert.deepEqual([found?.number, found?.status.state], [number, 'merged'])
      const again = await code.mergePullRequest!(number, 'merge', sha, key)
      assert.equal(again.status.state, 'merged')
      const further = code.mergePullRequest!(number, 'merge', next, mutation())
      assert.equal(await reasonOf(further), 'pullChanged')
    }
    assert.equal(repository.refs().get('refs/heads/main'), tip, 'nothing is merged twice')
  })

  test('commits after a merge need another request, even if the world does not know of the merge', async ({
    assert,
    cleanup,
  }) => {
    const { repository, code, sha, number } = await withRequest(cleanup)
    const restore = whenReported(cleanup, '/merged', unavailable)
    await code.mergePullRequest!(number, 'merge', sha, mutation())
    restore()
    const next = repository.commit({ branch: 'fix', files: { 'fix.txt': 'two\n' }, at: now() })
    const other = await code.openPullRequest!('fix', 'main', 'Fix more', '', mutation())
    assert.deepEqual([other.number, other.sha, other.status.state], [number + 1, next, 'open'])
    assert.equal((await code.getPullRequest!(number))?.status.state, 'merged')
  })

  test('a request is merged at the given commit, even if another is pushed meanwhile', async ({
    assert,
    cleanup,
  }) => {
    const { repository, code, sha, number } = await withRequest(cleanup)
    whenReported(cleanup, '/merging', () => {
      repository.commit({ branch: 'fix', files: { 'fix.txt': 'two\n' }, at: now() })
    })
    const merged = await code.mergePullRequest!(number, 'merge', sha, mutation())
    assert.deepEqual([merged.status.state, merged.sha], ['merged', sha])
    assert.equal(repository.git('show', 'main:fix.txt'), 'one')
  })

  test('a request merged by hand is merged; one whose commits were taken back is open', async ({
    assert,
    cleanup,
  }) => {
    const { repository, code } = await hosted(cleanup)
    const base = repository.refs().get('refs/heads/main')!
    const sha = repository.commit({ branch: 'fix', files: { 'fix.txt': 'fixed\n' }, at: now() })
    const { number } = await code.openPullRequest!('fix', 'main', 'Fix it', '', mutation())
    repository.git('update-ref', 'refs/heads/fix', base)
    assert.equal((await code.getPullRequest!(number))?.status.state, 'open')
    assert.equal(
      await reasonOf(code.mergePullRequest!(number, 'merge', sha, mutation())),
      'nothingToMerge'
    )
    repository.git('update-ref', 'refs/heads/fix', sha)
    repository.git('update-ref', 'refs/heads/main', sha)
    assert.equal((await code.getPullRequest!(number))?.status.state, 'merged')
    const [found] = await code.pullRequestsForCommit!(sha)
    assert.equal(found.number, number)
  })

  test('patch ids are those of git', async ({ assert, cleanup }) => {
    const { repository, code } = await hosted(cleanup)
    const sha = repository.commit({ branch: 'fix', files: { 'fix.txt': 'fixed\n' } })
    const { sha: picked } = await code.cherryPick(sha, 'main', 'main', mutation())
    const ids = await code.patchIds!([sha, picked])
    assert.equal(ids[sha], ids[picked])
    assert.lengthOf(ids[sha], 40)
  })

  test('a protected branch accepts only what was checked and approved', async ({
    assert,
    cleanup,
  }) => {
    const { repository, code, advance } = await hosted(cleanup, ', protected: [main], review: 4h')
    const sha = repository.commit({ branch: 'fix', files: { 'fix.txt': 'fixed\n' }, at: now() })
    const { number } = await code.openPullRequest!('fix', 'main', 'Fix', '', mutation())
    const merge = () => reasonOf(code.mergePullRequest!(number, 'merge', sha, mutation()))
    assert.equal(await merge(), 'checksMissing')
    await advance('1h')
    assert.equal(await merge(), 'reviewMissing')
    await advance('4h')
    assert.equal(await merge(), 'done')
  })

  test('a conflict is reported, and a branch that is gone closes its request', async ({
    assert,
    cleanup,
  }) => {
    const { repository, code } = await hosted(cleanup)
    repository.commit({ branch: 'fix', files: { 'version.txt': '1.0.1\n' } })
    repository.commit({ branch: 'main', files: { 'version.txt': '1.1.0\n' } })
    const { number, mergeable } = await code.openPullRequest!('fix', 'main', 'Fix', '', mutation())
    assert.isFalse(mergeable)
    repository.git('branch', '-D', 'fix')
    assert.equal((await code.getPullRequest!(number))?.status.state, 'closed')
    assert.deepEqual((await code.listOpenPullRequests!()).items, [])
    assert.isNull(await code.getPullRequest!(404))
  })

  test('it is unavailable with the world’s host, although git in the folder never is', async ({
    assert,
    cleanup,
  }) => {
    const { code, of, advance } = await hosted(cleanup)
    assert.isNotNull(await code.getBranch('main'))
    const at = `/org/${of.organizationId}/simulatedWorld/scenario`
    const away = 'name: Away\nmoments:\n  - { what: revoked, of: versionControl, at: 1h }\n'
    await of.admin.put(at, undefined, yaml(away))
    await advance('2h')
    const call = code.getBranch('main')
    await assert.rejects(() => call)
  })
})

/** Returns seconds since 1970: checks begin when a commit is made. */
const now = () => Math.floor(Date.now() / 1000)
