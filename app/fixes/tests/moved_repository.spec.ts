import { join } from 'node:path'
import { test } from '@japa/runner'
import { openPull } from '#features/tests/support'
import { TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCH, makeLate } from './late.js'

const OTHER = 'other.git'
const codesOf = ({ waitsFor }: any) => waitsFor.map(({ code }: any) => code)

/** Makes a release, and another repository with its branches. */
async function makeMoved(...given: Parameters<typeof makeLate>) {
  const late = await makeLate(...given)
  const { folder, integrate } = late
  const other = new TestRepository(join(folder, OTHER))
  other.git('tag', 'v0.9.0', other.commit({ message: 'Begun anew' }))
  other.git('branch', BRANCH, 'main')
  return {
    ...late,
    other,
    move: () => integrate(['versionControl', 'issueTracking'], { repoName: OTHER }),
  }
}

test.group('A fix by a pull request of a former repository', () => {
  test('does not match the same number in the present repository', async ({ assert, cleanup }) => {
    const late = await makeMoved(cleanup)
    const { pulls, otherPulls, ask, show, look, move, other, admin, requests, path } = late
    pulls.push(openPull(7, { title: 'Ours' }))
    otherPulls.set(OTHER, [openPull(7, { title: 'Theirs' })])
    const ours = await ask({ pullRequestNumbers: [7] })
    await move()
    const theirs = await ask({ pullRequestNumbers: [7] })
    other.commit({ message: 'Theirs (#7)', files: { 'fix.txt': '1' } })
    await look()
    await workAway()
    await look()
    assert.equal((await show(theirs)).status, 'merged')
    const shown = await show(ours)
    assert.deepEqual([shown.status, codesOf(shown)], ['approved', ['pull_request_elsewhere']])
    assert.equal(shown.pullRequests[0].title, 'Ours')
    assert.equal((await show(theirs)).pullRequests[0].title, 'Theirs')
    const { body } = await admin.get(`${path('1.0.0')}/whyNotMoving`)
    assert.containsSubset(body.warnings, [
      { code: 'fix_pull_request_elsewhere', subject: { type: 'fixRequest', id: ours } },
    ])
    await admin.put(`${requests}/${ours}/reject`)
    assert.isEmpty((await show(ours)).waitsFor)
  })

  test('gives no passing status to a pull request of the same number', async ({
    assert,
    cleanup,
  }) => {
    const late = await makeMoved(cleanup, { settings: { enableFixStatusChecks: true } })
    const { repository, pulls, otherPulls, ask, look, move, other, statuses } = late
    const turn = async () => {
      await look()
      await workAway()
    }
    const sha = repository.commit({ branch: BRANCH, message: 'Ours' })
    pulls.push(openPull(40, { base: BRANCH, sha }))
    await turn()
    await ask({ pullRequestNumbers: [40] })
    await turn()
    assert.deepEqual(
      statuses.map((each) => each.state),
      ['pending', 'success']
    )
    const there = other.commit({ branch: BRANCH, message: 'Theirs' })
    otherPulls.set(OTHER, [openPull(40, { base: BRANCH, sha: there })])
    await move()
    await turn()
    assert.deepEqual(
      statuses.slice(2).map((each) => `${each.sha === there} ${each.state}`),
      ['true pending']
    )
  })
})
