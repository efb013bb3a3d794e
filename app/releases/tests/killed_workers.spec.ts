import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Seam } from '#foundation/jobs/tests/support/dying_worker'
import { fileAt, makeCode, packageAt, workAway } from './helpers/code_world.js'
import { openCommands, workUntilKilled } from './helpers/killed_worker.js'
import { isLong } from '#tests/support/effort'

/** Creates a hotfix that needs a branch, two cherry-picks and a version bump. */
async function makeHotfix(cleanup: Parameters<typeof makeCode>[0]) {
  await db.from('jobs').delete()
  const code = await makeCode(cleanup)
  await code.setVersionFiles('package.json')
  const { repository, admin, app } = code
  const root = repository.commit({
    message: 'Begin',
    files: { 'package.json': packageAt('1.1.0') },
  })
  repository.git('tag', 'v1.1.0', root)
  const fixes = ['one', 'two'].map((name) =>
    repository.commit({ message: `Fix ${name}`, files: { [`${name}.txt`]: `${name}\n` } })
  )
  const { status, text } = await admin.post(`/app/${app}/release`, {
    version: '1.1.1',
    releaseType: 'hotfix',
    baseTag: { name: 'v1.1.0' },
    createBranch: true,
    bumpVersion: true,
    cherryPickCommits: fixes,
  })
  if (status !== 201) throw new Error(text)
  return { ...code, fixes }
}

/** The points at which workers are killed, in order. */
const KILLED = [
  'release.branch beforeCall, release.pick beforeCall, release.pick afterCall, release.bump beforeCall',
  'release.branch afterCall, release.pick inAnswer, release.pick afterCommit, release.bump afterCall',
  'release.branch inAnswer, release.branch afterCommit, release.bump inAnswer, release.bump afterCommit',
]

test.group('A worker that is killed at a branch, a pick or a bump', () => {
  test('{$self}: each change is made once and in order')
    .with(KILLED.slice(0, isLong ? undefined : 1))
    .run(async ({ assert, cleanup }, killed) => {
      const code = await makeHotfix(cleanup)
      const { repository, world, fixes } = code
      for (const seam of killed.split(', ')) {
        await workUntilKilled(world.organizationId, seam as `${string} ${Seam}`)
      }
      await workAway()
      const subjects = repository.git('log', '--format=%s', 'hotfix/1.1.1').split('\n')
      assert.deepEqual(subjects, ['Version 1.1.1', 'Fix two', 'Fix one', 'Begin'])
      assert.equal(fileAt(code, 'hotfix/1.1.1', 'package.json'), packageAt('1.1.1').trim())
      assert.isEmpty(await openCommands(world.organizationId))
      const events = (await code.timeline('1.1.1')).reverse()
      const reported = (type: string) => events.filter((each) => each.type === type)
      assert.deepEqual(
        reported('release.commitPicked').map(({ data }) => data.commitHash),
        fixes
      )
      assert.lengthOf(reported('release.versionBumped'), 1)
      assert.lengthOf(reported('release.branchMade'), 1)
      assert.isEmpty(events.filter(({ type }) => /failed/i.test(type)))
      assert.lengthOf([...repository.refs()], 3)
      assert.isTrue(repository.isSound())
    })
    .timeout(240_000)
})
