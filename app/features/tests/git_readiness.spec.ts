import { test } from '@japa/runner'
import { makeRepository } from './git_releases.js'
import { makeFeatures } from './support.js'

/*
 * Compares readiness, and changes between two versions, with git. Each change is a file, which is new
 * in a version if its tree has the file and the tree of the earlier version does not.
 */

type Made = Awaited<ReturnType<typeof makeRepository>>

/** Returns what is new by the trees of two branches or tags, and by the service. */
async function bothOf({ git, admin, app }: Made, refs: [string, string], versions: string[]) {
  const names = (ref: string) => {
    git.has(ref, 'any')
    const branch = `refs/remotes/origin/${ref}`
    const isBranch = git.git('for-each-ref', branch) !== ''
    return git.git('ls-tree', '--name-only', isBranch ? branch : `refs/tags/${ref}`).split('\n')
  }
  const before = new Set(names(refs[0]))
  const inGit = names(refs[1]).filter((name) => !before.has(name))
  const [from, to] = versions
  const { body } = await admin.get(`/app/${app}/changes?from=${from}&to=${to}&limit=200`)
  const messages = body.data.flatMap(({ workItem }: any) =>
    workItem.code.flatMap(({ message }: any) => message ?? [])
  )
  const reported = messages.flatMap((text: string) =>
    [...text.split('\n')[0].matchAll(/Change (\S+)/g)].map(([, name]) => `${name}.txt`)
  )
  return { inGit: inGit.sort(), reported: [...new Set(reported)].sort() }
}

test.group('The content of a release, compared with git', () => {
  test('a change that only the last branch reverted is in the next version', async ({
    assert,
    cleanup,
  }) => {
    const made = await makeRepository(cleanup)
    const { git, change, cut, ship, look, items, tracker } = made
    for (const key of ['SHOP-1', 'SHOP-2', 'SHOP-3']) tracker.set(key, { done: true })
    const half = change('main', 'half', 'SHOP-1 Change half')
    git.on('main')
    git.git('checkout', '--quiet', '-b', 'topic')
    git.push('topic')
    change('topic', 'by-topic')
    const message = 'Merge pull request #4 from acme/topic\n\nSHOP-3 By topic'
    const merge = git.does('main', 'merge', '--quiet', '--no-ff', '-m', message, 'topic')
    change('main', 'whole', 'SHOP-2 Change whole')
    tracker.set('SHOP-1', { versions: ['1.0.0'] })
    tracker.set('SHOP-2', { versions: ['1.0.0'] })
    tracker.set('SHOP-3', { versions: ['1.0.0'] })
    await cut('1.0.0')
    assert.equal((await items('1.0.0'))['SHOP-1'], 'inRelease ready')
    git.does('release/1.0.0', 'revert', '--no-edit', '-m', '1', merge)
    git.does('release/1.0.0', 'revert', '--no-edit', half)
    await look()
    // It waits in the working branch alone.
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'merged notMerged',
      'SHOP-2': 'inRelease ready',
      'SHOP-3': 'merged notMerged',
    })
    await ship('1.0.0')
    tracker.set('SHOP-1', { versions: ['1.1.0'] })
    tracker.set('SHOP-3', { versions: ['1.1.0'] })
    change('main', 'later')
    await cut('1.1.0')
    await look()
    assert.deepEqual(await items('1.1.0'), {
      'SHOP-1': 'inRelease ready',
      'SHOP-3': 'inRelease ready',
      'Change later': 'inRelease ready',
    })
    const { inGit, reported } = await bothOf(made, ['v1.0.0', 'release/1.1.0'], ['1.0.0', '1.1.0'])
    assert.deepEqual(reported, inGit)
    assert.deepEqual(inGit, ['by-topic.txt', 'half.txt', 'later.txt'])
  })

  test('new changes are those that the later version has by then', async ({ assert, cleanup }) => {
    const made = await makeRepository(cleanup)
    const { git, change, cut, ship, look } = made
    change('main', 'one')
    await cut('1.0.0')
    await ship('1.0.0')
    const bad = change('main', 'bad')
    change('main', 'good')
    const picked = change('main', 'picked')
    await cut('1.1.0')
    change('release/1.1.0', 'left-behind')
    const late = change('main', 'late')
    git.does('release/1.1.0', 'cherry-pick', '-x', late)
    await ship('1.1.0')
    git.does('main', 'revert', '--no-edit', bad)
    const again = change('main', 'again')
    git.does('main', 'revert', '--no-edit', again)
    git.does('main', 'revert', '--no-edit', 'HEAD')
    await cut('1.2.0')
    await look()
    const pairs: [string, string, string, string][] = [
      ['v1.0.0', 'v1.1.0', '1.0.0', '1.1.0'],
      ['v1.0.0', 'release/1.2.0', '1.0.0', '1.2.0'],
      ['v1.1.0', 'release/1.2.0', '1.1.0', '1.2.0'],
    ]
    for (const [earlier, later, ...versions] of pairs) {
      const { inGit, reported } = await bothOf(made, [earlier, later], versions)
      assert.deepEqual(reported, inGit, versions.join(' to '))
    }
    assert.isTrue(git.has('v1.1.0', 'picked') && picked.length === 40)
  })
})

test.group('Affiliations and done statuses of trackers', () => {
  test('a ticket of a tracker without affiliations lacks none', async ({ assert, cleanup }) => {
    const { repository, tracker, release, look, items } = await makeFeatures(cleanup, {
      otherProjects: ['OPS'],
    })
    repository.git('tag', 'v0.9.0', repository.commit())
    tracker.set('SHOP-1', { done: true })
    tracker.set('OPS-1', { done: true })
    repository.commit({ message: 'SHOP-1 One' })
    repository.commit({ message: 'OPS-1 Two' })
    await release('1.0.0')
    await look()
    assert.deepEqual(await items('1.0.0'), {
      'SHOP-1': 'merged missingAffiliation',
      'OPS-1': 'merged ready',
    })
  })

  test('an affiliation that cannot be rendered for a release is lacked by no ticket', async ({
    assert,
    cleanup,
  }) => {
    const { repository, tracker, release, look, items } = await makeFeatures(cleanup, {
      affiliations: [{ type: 'fixVersion', pattern: '{releaseName}' }],
    })
    repository.git('tag', 'v0.9.0', repository.commit())
    tracker.set('SHOP-1', { done: true })
    repository.commit({ message: 'SHOP-1 One' })
    await release('1.0.0')
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1': 'merged ready' })
  })

  test('changed done statuses apply to every ticket at the next poll', async ({
    assert,
    cleanup,
  }) => {
    const { repository, tracker, release, look, items, admin, app } = await makeFeatures(cleanup, {
      affiliations: [],
    })
    repository.git('tag', 'v0.9.0', repository.commit())
    tracker.set('SHOP-1', { status: 'QA' })
    repository.commit({ message: 'SHOP-1 One' })
    await release('1.0.0')
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1': 'merged ticketNotDone' })
    const { text } = await admin.get(`/app/${app}/app/config`)
    const raw = text.replace(/additionalDoneStatuses:.*/, 'additionalDoneStatuses: [QA]')
    assert.include(raw, '[QA]')
    const headers = { 'content-type': 'application/yaml' }
    const changed = await admin.patch(`/app/${app}/app/config`, undefined, { raw, headers })
    assert.equal(changed.status, 200, changed.text)
    await look()
    assert.deepEqual(await items('1.0.0'), { 'SHOP-1': 'merged ready' })
  })
})
