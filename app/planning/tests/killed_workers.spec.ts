import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { SEAMS } from '#foundation/jobs/tests/support/dying_worker'
import { packageAt, workAway } from '#releases/tests/helpers/code_world'
import { openCommands, workUntilKilled } from '#releases/tests/helpers/killed_worker'
import { makePlannedCode, ran } from './support.js'
import { isLong } from '#tests/support/effort'

test.group('A worker that is killed', () => {
  test('during a branch, a tag or a merge: each is made once, and nothing is lost', async ({
    assert,
    cleanup,
  }) => {
    await db.from('jobs').delete()
    const code = await makePlannedCode(cleanup)
    const { repository, admin, at, path, world, automate, setVersionFiles } = code
    await setVersionFiles('package.json')
    repository.commit({ files: { 'package.json': packageAt('1.1.0') } })
    for (const type of ['tagOnRelease', 'backMergeAfterRelease']) await automate(type)
    await admin.post(at('release'), { version: '1.2.0', bumpVersion: true })

    await admin.put(`${path('1.2.0')}/kickoff`)
    await workUntilKilled(world.organizationId, 'release.branch afterCall')
    await workAway()
    assert.isNotNull((await code.detail('1.2.0')).kickedOffAt)
    assert.equal(repository.git('rev-list', '--count', 'release/1.2.0'), '3')
    const shipped = repository.commit({ branch: 'release/1.2.0' })

    await admin.put(`${path('1.2.0')}/complete`)
    for (const seam of isLong ? SEAMS : SEAMS.slice(1, 3))
      await workUntilKilled(world.organizationId, `release.tag ${seam}`)
    await workUntilKilled(world.organizationId, 'release.backMerge inAnswer')
    await workAway()
    assert.equal(repository.git('rev-parse', '1.2.0^{commit}'), shipped)
    assert.equal(repository.git('rev-list', '--count', '--merges', 'main'), '1')
    const runs = await ran(code, '1.2.0')
    assert.deepEqual(
      runs.map(({ actor, result }: any) => [actor, result]),
      [
        ['tagOnRelease', 'succeeded'],
        ['backMergeAfterRelease', 'succeeded'],
      ]
    )
    assert.isEmpty(await openCommands(world.organizationId))
    assert.equal((await code.detail('1.2.0')).tag.name, '1.2.0')
    assert.isTrue(repository.isSound())
  }).timeout(240_000)
})
