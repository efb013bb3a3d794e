import { test } from '@japa/runner'
import { makeRepository } from '#features/tests/git_releases'

/*
 * Compares the answer with git. Each change is a file, and a version has the change when the file
 * is in its branch or its tag.
 */

test.group('Where a change is, as git has it', () => {
  test('200 what a branch took back, and the next version has again from the working branch', async ({
    assert,
    cleanup,
  }) => {
    const { git, change, cut, ship, reported, inGit, look } = await makeRepository(cleanup)
    const half = change('main', 'half-done')
    change('main', 'done')
    await cut('1.0.0')
    git.does('release/1.0.0', 'revert', '--no-edit', half)
    await ship('1.0.0')
    change('main', 'later')
    await cut('1.1.0')
    await look()
    for (const name of ['half-done', 'done', 'later']) {
      assert.deepEqual(await reported(name), inGit(name), name)
    }
    assert.deepEqual(inGit('half-done'), ['1.1.0'])
  })

  test('200 what shipped and was taken back in the working branch afterwards', async ({
    assert,
    cleanup,
  }) => {
    const { git, change, cut, ship, reported, inGit } = await makeRepository(cleanup)
    const bad = change('main', 'bad')
    const undone = change('main', 'undone')
    git.on('main')
    git.git('checkout', '--quiet', '-b', 'topic')
    git.push('topic')
    change('topic', 'by topic')
    const merge = git.does('main', 'merge', '--quiet', '--no-ff', '--no-edit', 'topic')
    await cut('1.0.0')
    await ship('1.0.0')
    git.does('main', 'revert', '--no-edit', bad)
    git.does('main', 'revert', '--no-edit', '-m', '1', merge)
    const revert = git.does('main', 'revert', '--no-edit', undone)
    git.does('main', 'revert', '--no-edit', revert)
    await cut('1.1.0')
    await ship('1.1.0')
    change('main', 'later')
    await cut('1.2.0')
    for (const name of ['bad', 'by topic', 'undone', 'later']) {
      assert.deepEqual(await reported(name), inGit(name), name)
    }
    assert.deepEqual(inGit('bad'), ['1.0.0'])
    assert.deepEqual(inGit('by topic'), ['1.0.0'])
    assert.deepEqual(inGit('undone'), ['1.2.0', '1.1.0', '1.0.0'])
  })

  test('200 hotfixes, merged back or picked with and without a word of it', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeRepository(cleanup)
    const { git, change, cut, ship, reported, inGit, admin, app, look, versions, kickOff } = made
    change('main', 'one')
    await cut('1.0.0')
    await ship('1.0.0')
    change('main', 'two')
    const noted = change('main', 'noted')
    const unnoted = change('main', 'unnoted')
    const hotfix = { version: '1.0.1', releaseType: 'hotfix' }
    const { status, text } = await admin.post(`/app/${app}/release`, hotfix)
    assert.equal(status, 201, text)
    git.on('hotfix/1.0.1', 'v1.0.0')
    git.push('hotfix/1.0.1')
    await kickOff('1.0.1')
    versions.unshift('1.0.1')
    change('hotfix/1.0.1', 'urgent')
    change('hotfix/1.0.1', 'only here')
    git.does('hotfix/1.0.1', 'cherry-pick', '-x', noted)
    git.does('hotfix/1.0.1', 'cherry-pick', unnoted)
    await look()
    git.does('main', 'cherry-pick', 'origin/hotfix/1.0.1~3')
    await ship('1.0.1', 'hotfix/1.0.1')
    await cut('1.1.0')
    for (const name of ['one', 'two', 'noted', 'unnoted', 'urgent', 'only here']) {
      assert.deepEqual(await reported(name), inGit(name), name)
    }
    await ship('1.1.0')
    git.does('main', 'merge', '--quiet', '--no-edit', 'origin/hotfix/1.0.1')
    await cut('1.2.0')
    for (const name of ['one', 'urgent', 'only here', 'noted']) {
      assert.deepEqual(await reported(name), inGit(name), name)
    }
  })

  test('200 squashes, force-pushes and renamed branches', async ({ assert, cleanup }) => {
    const made = await makeRepository(cleanup)
    const { git, change, cut, ship, reported, inGit, look, hashes, setBranches, repository } = made
    change('main', 'one')
    git.on('main')
    git.git('checkout', '--quiet', '-b', 'topic')
    git.push('topic')
    change('topic', 'squashed')
    git.on('main')
    git.git('merge', '--quiet', '--squash', 'topic')
    git.git('commit', '--quiet', '-m', 'Squashed work (#7)')
    git.push('main')
    const topic = hashes.get('squashed')!
    hashes.set('squashed', git.git('rev-parse', 'HEAD'))
    await cut('1.0.0')
    change('release/1.0.0', 'withdrawn')
    await look()
    assert.deepEqual(await reported('withdrawn'), ['1.0.0'])
    git.does('release/1.0.0', 'reset', '--quiet', '--hard', 'HEAD~1')
    change('release/1.0.0', 'instead')
    // In git the topic commit is in no version, but its changes are, through the squash.
    assert.equal(repository.git('branch', '--contains', topic, '--list', 'release/*'), '')
    hashes.set('topic', topic)
    assert.deepEqual(await reported('topic'), [])
    // From here on the working branch has another name.
    git.on('main')
    git.git('branch', '--quiet', '-m', 'main', 'trunk')
    git.push('trunk')
    repository.git('symbolic-ref', 'HEAD', 'refs/heads/trunk')
    git.push(':main')
    await look()
    for (const name of ['one', 'squashed', 'withdrawn', 'instead']) {
      assert.deepEqual(await reported(name), inGit(name), name)
    }
    await setBranches({ workingBranch: 'trunk' })
    await ship('1.0.0')
    change('trunk', 'later')
    await cut('1.1.0')
    for (const name of ['one', 'squashed', 'instead', 'later']) {
      assert.deepEqual(await reported(name), inGit(name), name)
    }
  })

  test('200 a live version stays known if its branch is deleted or renamed before it is complete', async ({
    assert,
    cleanup,
  }) => {
    const { git, change, cut, reported, items, look, hashes } = await makeRepository(cleanup)
    change('main', 'one')
    await cut('1.0.0')
    change('release/1.0.0', 'two')
    await look()
    const before = await items('1.0.0')
    git.push(':release/1.0.0')
    await look()
    assert.deepEqual(await reported('one'), ['1.0.0'])
    assert.deepEqual(await reported('two'), ['1.0.0'])
    assert.deepEqual(await items('1.0.0'), before)
    // Once the branch exists again, its current content counts.
    git.on('release/1.0.0', `${hashes.get('two')}~1`)
    git.push('release/1.0.0')
    await look()
    assert.deepEqual(await reported('two'), [])
  })
})
