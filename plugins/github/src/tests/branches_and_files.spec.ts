import { test } from '@japa/runner'
import type { ProviderError, VersionControl } from '@tarmac/plugin-kit'
import { Bench } from '@tarmac/plugin-kit/testing'
import { GitHubFake } from '../fake/github_fake.js'
import { sampleScenario } from '../fake/sample_scenario.js'
import { digest } from '../github.js'
import plugin from '../plugin.js'

async function openRepository() {
  const bench = new Bench({
    plugin,
    fake: () => new GitHubFake(),
    credentials: { good: { token: 'good-token-4711' }, bad: {} },
    data: { versionControl: { repoName: 'acme/app' } },
  })
  bench.seed(sampleScenario())
  const code: VersionControl = await bench.capability('versionControl')
  return { bench, code, git: (bench.fake as GitHubFake).code.git }
}

test.group('GitHub | branches and files', () => {
  test('a folder is no file', async ({ assert }) => {
    const { code } = await openRepository()
    assert.isNull(await code.readFile('app', 'main'))
    assert.include((await code.readFile('app/build.gradle', 'main'))?.text, 'versionName')
  })

  test('a file keeps its mode, and what is not a file is not overwritten', async ({ assert }) => {
    const { bench, code, git } = await openRepository()
    const commit = (...paths: string[]) =>
      code.commitFiles(
        'main',
        paths.map((path) => ({ path, text: `${path}\n` })),
        'Change files',
        bench.mutation()
      )
    await commit('gradlew', 'ci/link.sh', 'module')
    git.modes.set('gradlew', '100755').set('ci/link.sh', '120000').set('module', '160000')
    await commit('gradlew', 'app/build.gradle', 'new/folder/run.sh')
    const modes = ['gradlew', 'app/build.gradle', 'new/folder/run.sh'].map((path) =>
      git.modes.get(path)
    )
    assert.deepEqual(modes, ['100755', '100644', '100644'])
    const { sha } = git.branches.get('main')!
    for (const [path, said] of [
      ['ci/link.sh', '"ci/link.sh" is not a file'],
      ['module', '"module" is not a file'],
      ['ci', '"ci" is not a file'],
      ['ci/link.sh/inside.txt', '"ci/link.sh" is not a folder'],
      ['checkout.txt/inside.txt', '"checkout.txt" is not a folder'],
    ]) {
      const error: ProviderError = await commit(path).then(
        () => assert.fail(`${path} was written`),
        (reason) => reason
      )
      assert.deepEqual([error.code, error.detail.reason, error.message], ['invalid', 'path', said])
    }
    assert.equal(git.branches.get('main')!.sha, sha)
  })

  test('a file that one side renames and the other changes is named as in conflict', async ({
    assert,
  }) => {
    const { bench, code, git } = await openRepository()
    const main = git.branches.get('main')!
    await code.createBranch('release/1.1.0', main.sha, bench.mutation())
    const change = [{ path: 'checkout.txt', text: 'cash\n' }]
    await code.commitFiles('release/1.1.0', change, 'Pay in cash', bench.mutation())
    const tip = git.commits.get(main.sha)!
    const tree = new Map(git.tree(tip.tree))
    tree.set('payment.txt', tree.get('checkout.txt')!)
    tree.delete('checkout.txt')
    const renamed = { ...tip, message: 'Rename', parents: [main.sha], tree: git.storeTree(tree) }
    main.sha = git.commit(renamed).sha
    const error: ProviderError = await code.mergeBranch!(
      'main',
      'release/1.1.0',
      'Merge',
      bench.mutation()
    ).then(
      () => assert.fail('It was merged'),
      (reason) => reason
    )
    assert.equal(error.code, 'conflict')
    assert.deepEqual(
      error.detail.fields?.map(({ path }) => path),
      ['checkout.txt']
    )
  })

  test('a temporary branch with the merge of an earlier attempt is made anew', async ({
    assert,
  }) => {
    const { bench, code, git } = await openRepository()
    const { sha: fix } = git.branches.get('main')!
    const root = git.history(fix).at(-1)!
    await code.createBranch('release/1.1.0', root.sha, bench.mutation())
    const mutation = bench.mutation()
    const left = `tarmac/${digest(mutation.idempotencyKey)}`
    git.branches.set(left, { sha: fix, protected: false })
    const { sha } = await code.cherryPick(fix, 'release/1.1.0', 'release/1.1.0', mutation)
    assert.isTrue(git.treeOf(sha).has('checkout.txt'))
    assert.isFalse(git.treeOf(sha).has('basket.txt'))
    assert.isFalse(git.branches.has(left))
  })
})
