import { test } from '@japa/runner'
import { fileAt, packageAt, workAway } from '#releases/tests/helpers/code_world'
import { typesOf } from '#releases/tests/helpers/release_world'
import { sendFile } from '#distribution/tests/support'
import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import { makePlanned, makePlannedCode, ran } from './support.js'

/** Makes an app with version files, automations that are switched on, and a release. */
async function makeFollowed(
  cleanup: Parameters<typeof makePlannedCode>[0],
  { on = [], version = '1.2.0' }: { on?: readonly string[]; version?: string } = {}
) {
  const code = await makePlannedCode(cleanup)
  await code.setVersionFiles('package.json')
  code.repository.commit({ files: { 'package.json': packageAt('1.1.0'), 'a.txt': 'a\n' } })
  for (const type of on) {
    const { status, text } = await code.automate(type)
    if (status !== 200) throw new Error(text)
  }
  const made = await code.admin.post(code.at('release'), { version })
  if (made.status !== 201) throw new Error(made.text)
  const kickoff = async () => {
    await code.admin.put(`${code.path(version)}/kickoff`)
    await workAway()
  }
  /** Completes the release, which also releases it. */
  const release = async () => {
    const { status, text } = await code.admin.put(`${code.path(version)}/complete`)
    if (status !== 200) throw new Error(text)
    await workAway()
  }
  return { ...code, kickoff, release, automationRuns: () => ran(code, version) }
}

const AFTER_RELEASE = ['tagOnRelease', 'backMergeAfterRelease', 'bumpVersionAfterRelease']

const tipOf = ({ repository }: { repository: { refs(): Map<string, string> } }, ref: string) =>
  repository.refs().get(ref)

test.group('PUT /app/{appId}/automations for follow-ups', () => {
  test('200 switches on and off; all are listed with their status', async ({ assert, cleanup }) => {
    const { automate, admin, at, world } = await makePlannedCode(cleanup)
    const on = await automate('tagOnRelease')
    assert.equal(on.status, 200, on.text)
    assert.containsSubset(on.body, { enabled: true, status: 'enabled', scheduled: false })
    assert.deepEqual([on.body.phase, on.body.config], [null, {}])
    const count = (await world.events()).length
    assert.deepEqual((await automate('tagOnRelease')).body, on.body)
    assert.equal((await world.events()).length, count)
    const { body } = await admin.get(at('automations'))
    const statusOf = (wanted: string) => body.find(({ type }: any) => type === wanted).status
    assert.equal(statusOf('tagOnRelease'), 'enabled')
    assert.equal(statusOf('backMergeAfterRelease'), 'disabled')
    assert.equal(statusOf('bumpVersionAfterKickoff'), 'inactive')
    assert.equal((await automate('tagOnRelease', false)).body.status, 'disabled')
  })

  test('409 if the app lacks something or it does not apply to the release; 422 for a freeze setting', async ({
    assert,
    cleanup,
  }) => {
    const bare = await makePlanned()
    const missing = await bare.automate('tagOnRelease')
    assert.deepEqual([missing.status, missing.body.code], [409, 'automation_dependency'])
    assert.include(missing.body.detail, 'version-control')
    const { automate, setBranches, setVersionFiles, admin, at, app } =
      await makePlannedCode(cleanup)
    const fileless = await automate('bumpVersionAfterRelease')
    assert.include(fileless.body.detail, 'versionFiles')
    await setVersionFiles('package.json')
    assert.equal((await automate('bumpVersionAfterRelease')).status, 200)
    await setBranches({ workingBranch: null })
    assert.include((await automate('backMergeAfterRelease')).body.detail, 'workingBranch')
    const hotfix = { version: '1.0.1', releaseType: 'hotfix', baseTag: { name: 'v1.0.0' } }
    assert.equal((await admin.post(at('release'), hotfix)).status, 201)
    const releaseId = `${app}:1.0.1`
    const idle = await automate('bumpVersionBeforeKickoff', true, { releaseId })
    assert.deepEqual([idle.status, idle.body.code], [409, 'automation_inactive'])
    assert.equal((await automate('tagOnRelease', true, { releaseId })).status, 200)
    const held = await automate('tagOnRelease', true, { config: { runAfterFreeze: true } })
    assert.equal(held.status, 422)
    const ota = await makePlanned([], { platform: 'react-native-ota' })
    assert.equal(
      (await ota.automate('bumpVersionAfterSubmission')).body.code,
      'automation_inactive'
    )
  })
})

test.group('What follows a release', () => {
  test('the tag, the back-merge and the next version, once and in this order', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeFollowed(cleanup, { on: AFTER_RELEASE })
    const { repository, admin, at, timeline, detail, kickoff, release } = code
    await kickoff()
    const shipped = repository.commit({ branch: 'release/1.2.0', files: { 'fix.txt': 'x\n' } })
    const working = repository.commit({ files: { 'next.txt': 'y\n' } })
    assert.deepEqual(await code.automationRuns(), [])
    await release()
    assert.equal(repository.git('rev-parse', '1.2.0^{commit}'), shipped)
    const subjects = repository.git('log', '--first-parent', '-2', '--format=%s', 'main')
    assert.equal(subjects, 'Version 1.3.0\nMerge release/1.2.0 into main')
    assert.equal(repository.git('rev-parse', 'main~2'), working)
    assert.equal(fileAt(code, 'main', 'fix.txt'), 'x')
    assert.equal(fileAt(code, 'main', 'package.json'), packageAt('1.3.0').trim())

    const { tag } = await detail('1.2.0')
    assert.containsSubset(tag, { name: '1.2.0', commitHash: shipped, version: '1.2.0' })
    const { body: tags } = await admin.get(at('releaseTags'))
    assert.deepEqual(tags.data, [tag])
    const runs = await code.automationRuns()
    assert.deepEqual(
      runs.map(({ type, actor, result }: any) => [type, actor, result]),
      AFTER_RELEASE.map((type) => ['automation.ran', type, 'succeeded'])
    )
    const events = await timeline('1.2.0')
    const tagged = events.find(({ type }) => type === 'release.tagged')
    assert.containsSubset(tagged.actor, { type: 'automation', name: 'tagOnRelease' })
    assert.includeMembers(typesOf(events), ['release.backMerged', 'release.versionBumped'])
    const { body: list } = await admin.get(at('automations'))
    const tagging = list.find(({ type }: any) => type === 'tagOnRelease')
    assert.equal(tagging.lastResult, 'succeeded')

    const refs = repository.refs()
    await code.automate('tagOnRelease', false)
    await code.automate('tagOnRelease')
    await workAway()
    assert.deepEqual(await timeline('1.2.0'), events)
    assert.deepEqual(repository.refs(), refs)
  })

  test('no automation that is switched on afterwards, off for the release or paused', async ({
    assert,
    cleanup,
  }) => {
    const late = await makeFollowed(cleanup)
    await late.kickoff()
    await late.release()
    await late.automate('tagOnRelease')
    await workAway()
    assert.deepEqual(await late.automationRuns(), [])

    const off = await makeFollowed(cleanup, { on: ['tagOnRelease'] })
    const releaseId = `${off.app}:1.2.0`
    const { body } = await off.automate('tagOnRelease', false, { releaseId })
    assert.equal(body.status, 'disabled')
    await off.kickoff()
    await off.release()
    assert.deepEqual(await off.automationRuns(), [])

    const paused = await makeFollowed(cleanup, { on: ['tagOnRelease'] })
    await paused.kickoff()
    await paused.pause({ paused: true })
    await paused.release()
    assert.containsSubset(await paused.automationRuns(), [{ result: 'skipped', reason: 'paused' }])
    for (const { repository } of [late, off, paused]) {
      assert.isFalse(repository.refs().has('refs/tags/1.2.0'))
    }
  })

  test('the next step, even after a conflict, which is recorded with its files', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeFollowed(cleanup, { on: AFTER_RELEASE })
    const { repository, kickoff, release, timeline } = code
    await kickoff()
    repository.commit({ branch: 'release/1.2.0', files: { 'a.txt': 'b\n' } })
    repository.commit({ files: { 'a.txt': 'c\n' } })
    await release()
    const failed = (await timeline('1.2.0')).find(({ type }) => type === 'release.backMergeFailed')
    assert.deepEqual(failed.data.files, ['a.txt'])
    const runs = await code.automationRuns()
    assert.deepEqual(
      runs.map(({ result }: any) => result),
      ['succeeded', 'failed', 'succeeded']
    )
    assert.include(runs[1].reason, 'blocked')
    assert.equal(repository.git('log', '-1', '--format=%P', 'main').split(' ').length, 1)
    assert.equal(fileAt(code, 'main', 'package.json'), packageAt('1.3.0').trim())
  })

  test('an existing tag is reused for the same commit, and not moved from another one', async ({
    assert,
    cleanup,
  }) => {
    for (const isSame of [false, true]) {
      const code = await makeFollowed(cleanup, { on: ['tagOnRelease'] })
      const { repository, kickoff, release, detail, automationRuns } = code
      await kickoff()
      const branch = repository.commit({ branch: 'release/1.2.0' })
      const tagged = isSame ? branch : repository.commit({ branch: 'elsewhere' })
      repository.git('tag', '1.2.0', tagged)
      await release()
      assert.equal(tipOf(code, 'refs/tags/1.2.0'), tagged)
      const result = isSame ? 'succeeded' : 'failed'
      assert.containsSubset(await automationRuns(), [{ result }])
      assert.equal((await detail('1.2.0')).tag?.commitHash ?? null, isSame ? tagged : null)
    }
  })

  test('the tag is on the commit of the build that ships, not on a later one', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeFollowed(cleanup, { on: ['tagOnRelease'] })
    const { repository, kickoff, release, admin, at, app, world } = code
    await kickoff()
    const built = repository.commit({ branch: 'release/1.2.0' })
    repository.commit({ branch: 'release/1.2.0' })
    const ci = await installIntegration(world, app, 'generic-ci')
    const data = { ...CUSTOM_BUILD, commitHash: built, version: '1.2.0', status: 'success' }
    const build = await sendFile(admin, at(`integration/${ci}/build`), { data })
    assert.equal(build.status, 200, build.text)
    await release()
    assert.equal(repository.git('rev-parse', '1.2.0^{commit}'), built)
  })
})

test.group('What follows a kickoff', () => {
  test('the version is bumped before it and the next begun after it', async ({
    assert,
    cleanup,
  }) => {
    const on = ['bumpVersionBeforeKickoff', 'bumpVersionAfterKickoff']
    const code = await makeFollowed(cleanup, { on })
    await code.admin.post(code.at('release'), { version: '1.5.0' })
    await code.kickoff()
    assert.equal(fileAt(code, 'release/1.2.0', 'package.json'), packageAt('1.2.0').trim())
    assert.equal(fileAt(code, 'main', 'package.json'), packageAt('1.5.0').trim())
    assert.equal(
      code.repository.git('rev-parse', 'main~1'),
      tipOf(code, 'refs/heads/release/1.2.0')
    )
    const runs = await code.automationRuns()
    assert.sameDeepMembers(
      runs.map(({ actor, result }: any) => [actor, result]),
      on.map((type) => [type, 'succeeded'])
    )
  })

  test('a version that cannot be written blocks the kickoff and is the failure of both', async ({
    assert,
    cleanup,
  }) => {
    const code = await makeFollowed(cleanup, { on: ['bumpVersionBeforeKickoff'] })
    code.repository.commit({ files: { 'package.json': 'no' } })
    await code.kickoff()
    assert.equal((await code.step('1.2.0', 'kickoff')).status, 'blocked')
    assert.containsSubset(await code.automationRuns(), [{ result: 'failed', reason: 'blocked' }])
    assert.lengthOf([...code.repository.refs()], 1)
    code.repository.commit({ files: { 'package.json': packageAt('1.1.0') } })
    await code.kickoff()
    assert.equal(fileAt(code, 'release/1.2.0', 'package.json'), packageAt('1.2.0').trim())
  })
})
