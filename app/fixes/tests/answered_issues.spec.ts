import { test } from '@japa/runner'
import { overPull } from '#features/tests/support'
import { workAway } from '#releases/tests/helpers/code_world'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { makeLate } from './late.js'

type Late = Awaited<ReturnType<typeof makeLate>>

/** Makes an issue of the app, with a read of its state. */
async function makeIssue({ admin, app }: Pick<Late, 'admin' | 'app'>) {
  const issues = `/app/${app}/triageIssue`
  const { body } = await admin.post(issues, { title: 'It crashes' })
  const path = `${issues}/${body.id}`
  return {
    request: (named: object = {}, version = '1.0.0') =>
      admin.post(`${path}/requestFix`, { releaseId: `${app}:${version}`, ...named }),
    stands: async () => {
      const { status, fixRequestId } = (await admin.get(path)).body
      return fixRequestId === null ? status : `${status} by a request`
    },
  }
}

const fixOf = ({ repository }: Late) =>
  repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })

test.group('POST /app/{appId}/triageIssue/{issueId}/requestFix', () => {
  test('201 with its code, which is picked', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { request } = await makeIssue(late)
    const hash = fixOf(late)
    const { status, body } = await request({ commitHashes: [hash], ticketId: 'SHOP-1' })
    assert.equal(status, 201)
    assert.deepEqual(
      body.commits.map((each: any) => each.hash),
      [hash]
    )
    await late.look()
    assert.include(late.subjects(), 'Fix')
  })

  test('409 and 422 for code as for other requests, and the issue stays as it is', async ({
    assert,
    cleanup,
  }) => {
    const late = await makeLate(cleanup)
    const { request, stands } = await makeIssue(late)
    late.pulls.push(overPull(77, 'closed'))
    const closed = await request({ pullRequestNumbers: [77] })
    assert.deepEqual([closed.status, closed.body.code], [409, 'pull_request_closed'])
    const unknown = await request({ commitHashes: ['f'.repeat(40)] })
    assert.deepEqual([unknown.status, unknown.body.errors[0].code], [422, 'unknown_commit'])
    const nowhere = await request({ ticketId: 'SHOP-404' })
    assert.deepEqual([nowhere.status, nowhere.body.errors[0].code], [422, 'unknown_ticket'])
    const wrong = await request({ commitHashes: ['main'], wayIn: 'magic' })
    assert.deepEqual(
      wrong.body.errors.map(({ pointer }: any) => pointer),
      ['/commitHashes/0', '/wayIn']
    )
    assert.equal(await stands(), 'open')
    assert.isEmpty((await late.admin.get(late.requests)).body)
  })
})

test.group('An issue whose fix is requested', () => {
  test('is resolved by code that users get', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { request, stands } = await makeIssue(late)
    await request({ commitHashes: [fixOf(late)] })
    await late.look()
    assert.equal(await stands(), 'fixRequested by a request')
    await late.admin.put(`${late.path('1.0.0')}/complete`)
    assert.equal(await stands(), 'resolved by a request')
  })

  test('is open again if the code never came in', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { request, stands } = await makeIssue(late)
    // The code is not written yet.
    await request({ ticketId: 'SHOP-9' })
    await late.look()
    await late.admin.put(`${late.path('1.0.0')}/complete`)
    assert.equal(await stands(), 'open')
  })

  test('is resolved by an approved request that names no code', async ({ assert }) => {
    const train = await makeTrain(['1.0.0'])
    const { request, stands } = await makeIssue(train as never as Late)
    await train.admin.put(`${train.path('1.0.0')}/kickoff`)
    await request()
    await train.admin.put(`${train.path('1.0.0')}/complete`)
    assert.equal(await stands(), 'resolved by a request')
  })

  test('is open again without approval, and while the release is skipped', async ({ assert }) => {
    const settings = { requireFixApprovals: true }
    const train = await makeTrain(['1.0.0'], { settings })
    const { request, stands } = await makeIssue(train as never as Late)
    const to = (verb: string) => train.admin.put(`${train.path('1.0.0')}/${verb}`)
    await to('kickoff')
    await request()
    await to('skip')
    assert.equal(await stands(), 'open')
    await to('unskip')
    assert.equal(await stands(), 'fixRequested by a request')
    await to('complete')
    await workAway()
    assert.equal(await stands(), 'open')
  })
})
