import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { fileAt, makeCode, packageAt, workAway } from '#releases/tests/helpers/code_world'
import { typesOf } from '#releases/tests/helpers/release_world'

/**
 * Makes an app whose 1.1.0 is tagged, with three commits since, the last of which needs the one
 * before.
 */
async function makeTagged(cleanup: Parameters<typeof makeCode>[0]) {
  const code = await makeCode(cleanup)
  await code.setVersionFiles('package.json')
  const { repository, admin, app } = code
  const root = repository.commit({ files: { 'package.json': packageAt('1.1.0'), 'a.txt': 'a\n' } })
  repository.git('tag', 'v1.1.0', root)
  const fix = repository.commit({ message: 'A fix', files: { 'b.txt': 'b\n' } })
  repository.commit({ files: { 'a.txt': 'b\n' } })
  const needy = repository.commit({ message: 'A fix of a fix', files: { 'a.txt': 'c\n' } })
  const draft = (version: string, more: object) =>
    admin.post(`/app/${app}/release`, {
      version,
      releaseType: 'hotfix',
      baseTag: { name: 'v1.1.0' },
      ...more,
    })
  return { ...code, root, fix, needy, draft }
}

const subjects = ({ repository }: Pick<Awaited<ReturnType<typeof makeTagged>>, 'repository'>) =>
  repository.git('log', '--format=%s', 'hotfix/1.1.1').split('\n')

test.group('POST /app/{appId}/release of a hotfix with work for version control', () => {
  test('201 the branch is cut, commits are picked and the version is bumped', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeTagged(cleanup)
    const { repository, draft, timeline, detail, root, fix, needy } = code
    const made = await draft('1.1.1', {
      createBranch: true,
      bumpVersion: true,
      cherryPickCommits: [needy, fix],
    })
    assert.equal(made.status, 201, made.text)
    assert.isNull(made.body.kickedOffAt)
    await workAway()
    assert.isNotNull((await detail('1.1.1')).kickedOffAt)
    assert.deepEqual(subjects(code), ['Version 1.1.1', 'A fix', 'Commit 1'])
    assert.equal(repository.git('merge-base', 'main', 'hotfix/1.1.1'), root)
    assert.equal(fileAt(code, 'hotfix/1.1.1', 'package.json'), packageAt('1.1.1').trim())
    assert.equal(fileAt(code, 'main', 'package.json'), packageAt('1.1.0').trim())
    const events = await timeline('1.1.1')
    const failed = events.filter(({ type }) => type === 'fix.cherryPickFailed')
    assert.lengthOf(failed, 1)
    assert.containsSubset(failed[0].data, { commitHash: needy, files: ['a.txt'] })
    const picked = events.filter(({ type }) => type === 'release.commitPicked')
    assert.deepEqual(
      picked.map(({ data }) => data.commitHash),
      [fix]
    )
    const bumped = events.find(({ type }) => type === 'release.versionBumped')
    assert.deepEqual(bumped.data.files, [{ path: 'package.json', from: '1.1.0' }])
    assert.sameMembers(
      [...repository.refs().keys()],
      ['refs/heads/main', 'refs/heads/hotfix/1.1.1', 'refs/tags/v1.1.0']
    )
    assert.isTrue(repository.isSound())
    await workAway()
    assert.deepEqual(await timeline('1.1.1'), events)
  })

  test('201 without createBranch the work is done when the hotfix is kicked off', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeTagged(cleanup)
    const { repository, draft, admin, path, fix } = code
    const cherryPickCommits = [fix.slice(0, 10).toUpperCase(), 'abcdef0123']
    assert.equal((await draft('1.1.1', { bumpVersion: true, cherryPickCommits })).status, 201)
    await workAway()
    assert.lengthOf([...repository.refs()], 2)
    await admin.put(`${path('1.1.1')}/kickoff`)
    await workAway()
    assert.deepEqual(subjects(code), ['Version 1.1.1', 'A fix', 'Commit 1'])
    const events = await code.timeline('1.1.1')
    const failed = events.find(({ type }) => type === 'fix.cherryPickFailed')
    assert.include(failed.title, 'No commit of main begins with abcdef0123')
  })

  test('a malformed version file is reported, and branch and picks stay', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeTagged(cleanup)
    await code.setVersionFiles('package.json', 'a.txt', 'ios/Info.plist')
    const options = { createBranch: true, bumpVersion: true, cherryPickCommits: [code.fix] }
    await code.draft('1.1.1', options)
    await workAway()
    assert.deepEqual(subjects(code), ['A fix', 'Commit 1'])
    const failed = (await code.timeline('1.1.1')).find(({ type }) => type === 'release.bumpFailed')
    assert.include(failed.title, 'a.txt is no kind of file')
    assert.include(failed.title, 'ios/Info.plist is not on hotfix/1.1.1')
    assert.isNotNull((await code.detail('1.1.1')).kickedOffAt)
  })

  test('a hotfix that was deleted or skipped meanwhile is left alone', async ({
    assert,
    cleanup,
  }) => {
    for (const change of ['delete', 'skip'] as const) {
      const code = await makeTagged(cleanup)
      const { draft, admin, path, repository, world, fix } = code
      await draft('1.1.1', { createBranch: true, bumpVersion: true, cherryPickCommits: [fix] })
      if (change === 'delete') await admin.delete(path('1.1.1'))
      else await admin.put(`${path('1.1.1')}/skip`)
      const open = db.from('jobs').where('organization_id', world.organizationId)
      assert.lengthOf(await open.whereNull('finished_at').where('nature', 'command'), 0, change)
      await workAway()
      assert.lengthOf([...repository.refs()], 2, change)
    }
  })

  test('403 without the actions to bump and branch; 422 and 409 for missing requirements', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeTagged(cleanup)
    const { world, app, admin, draft, setVersionFiles } = code
    await admin.post(`/org/${world.organizationId}/group`, {
      name: 'Hotfixers',
      userActions: ['CreateHotfix'],
    })
    const key = await world.keyed({ groups: ['Hotfixers'] })
    const body = { version: '1.1.1', releaseType: 'hotfix', baseTag: { name: 'v1.1.0' } }
    for (const [option, action] of [
      ['bumpVersion', 'BumpVersion'],
      ['createBranch', 'CreateBranchPromoteCode'],
    ]) {
      const refused = await key.post(`/app/${app}/release`, { ...body, [option]: true })
      assert.deepEqual([refused.status, refused.body.missingActions], [403, [action]])
    }
    await setVersionFiles()
    const none = await draft('1.1.1', { bumpVersion: true })
    assert.equal(none.status, 422)
    assert.containsSubset(none.body.errors, [{ pointer: '/bumpVersion', code: 'no_version_files' }])
    await db.from('integrations').where('app_id', app).delete()
    await setVersionFiles('package.json')
    const bare = await draft('1.1.1', { bumpVersion: true })
    assert.deepEqual([bare.status, bare.body.code], [409, 'integration_missing'])
  })
})

test.group('The version before a kickoff', () => {
  async function bumped(cleanup: Parameters<typeof makeCode>[0], file: string) {
    const code = await makeCode(cleanup)
    await code.setVersionFiles('package.json')
    code.repository.commit({ files: { 'package.json': file } })
    const { admin, app, path } = code
    const body = { version: '1.2.0', bumpVersion: true }
    const made = await admin.post(`/app/${app}/release`, body)
    if (made.status !== 201) throw new Error(made.text)
    await admin.put(`${path('1.2.0')}/kickoff`)
    await workAway()
    return code
  }

  test('is written into the working branch before the branch is cut from it', async ({
    assert,
    cleanup,
  }) => {
    const code = await bumped(cleanup, packageAt('1.1.0'))
    const refs = code.repository.refs()
    assert.equal(refs.get('refs/heads/release/1.2.0'), refs.get('refs/heads/main'))
    assert.equal(fileAt(code, 'main', 'package.json'), packageAt('1.2.0').trim())
    const types = typesOf(await code.timeline('1.2.0'))
    assert.lengthOf(
      types.filter((type) => type === 'release.versionBumped'),
      1
    )
  })

  test('is written only into the branch if the working branch has a higher version', async ({
    assert,
    cleanup,
  }) => {
    const code = await bumped(cleanup, packageAt('2.0.0'))
    assert.equal(fileAt(code, 'main', 'package.json'), packageAt('2.0.0').trim())
    assert.equal(fileAt(code, 'release/1.2.0', 'package.json'), packageAt('1.2.0').trim())
    assert.isNotNull((await code.detail('1.2.0')).kickedOffAt)
  })

  test('blocks the kickoff if it cannot be written, and no branch is cut', async ({
    assert,
    cleanup,
  }) => {
    const code = await bumped(cleanup, '{ "version": 1.2')
    assert.lengthOf([...code.repository.refs()], 1)
    assert.equal((await code.step('1.2.0', 'kickoff')).status, 'blocked')
    const failed = (await code.timeline('1.2.0')).find(
      ({ type }) => type === 'release.branchFailed'
    )
    assert.include(failed.title, 'package.json is no JSON')
  })
})
