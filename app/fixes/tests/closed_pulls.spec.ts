import { test } from '@japa/runner'
import { openPull, overPull } from '#features/tests/support'
import { workAway } from '#releases/tests/helpers/code_world'
import { makeLate } from './late.js'

type Late = Awaited<ReturnType<typeof makeLate>>

const waits = { settings: { requireFixApprovals: true } }

const codesOf = ({ waitsFor }: any) =>
  waitsFor.map(({ code, pullRequestNumber: number }: any) =>
    number === null ? code : `${code} ${number}`
  )

/** Returns the timeline entries about closed pull requests. */
const reportedClosed = async ({ timeline }: Late) =>
  (await timeline('1.0.0')).filter(({ type }) => type === 'fix.pullRequestClosed')

test.group('A fix request that names a pull request', () => {
  test('is refused if that is closed', async ({ assert, cleanup }) => {
    const { pulls, admin, requests, events, pullsAsked } = await makeLate(cleanup)
    pulls.push(overPull(77, 'closed', { title: 'Never mind' }))
    const { status, body } = await admin.post(requests, {
      title: 'Fix',
      pullRequestNumbers: [77],
    })
    assert.deepEqual([status, body.code], [409, 'pull_request_closed'])
    assert.include(body.detail, '#77 Never mind')
    assert.isEmpty((await admin.get(requests)).body)
    assert.isEmpty(await events())
    // Once it is reopened, it may be named.
    assert.deepEqual(pullsAsked, [77])
    pulls[0] = openPull(77)
    const again = await admin.post(requests, { title: 'Fix', pullRequestNumbers: [77] })
    assert.equal(again.status, 201)
    assert.containsSubset(again.body.pullRequests, [{ number: 77, status: 'open' }])
    assert.deepEqual(codesOf(again.body), ['pull_request_open 77'])
  })

  test('asks the host again after a refusal, but not when it is repeated after success', async ({
    assert,
    cleanup,
  }) => {
    const { pulls, requests, admin, pullsAsked } = await makeLate(cleanup)
    pulls.push(overPull(77, 'closed'))
    const key = { headers: { 'idempotency-key': 'once' } }
    const send = () => admin.post(requests, { title: 'Fix', pullRequestNumbers: [77] }, key)
    assert.equal((await send()).status, 409)
    pulls[0] = openPull(77)
    const first = await send()
    assert.equal(first.status, 201)
    pulls[0] = overPull(77, 'closed')
    const repeated = await send()
    assert.deepEqual([repeated.status, repeated.body.id], [201, first.body.id])
    // A repetition does not ask the host again.
    assert.deepEqual(pullsAsked, [77, 77])
  })

  test('is made if the host does not report that, and shows later that it is closed', async ({
    assert,
    cleanup,
  }) => {
    const late = await makeLate(cleanup, waits)
    const { pulls, ask, show, look, fails, admin, requests } = late
    pulls.push(overPull(77, 'closed', { title: 'Never mind' }))
    fails.pulls = 'unavailable'
    const id = await ask({ pullRequestNumbers: [77] })
    assert.deepEqual(codesOf(await show(id)), ['approvals_missing'])
    delete fails.pulls
    // The next poll comes at once.
    await workAway()
    assert.deepEqual(codesOf(await show(id)), ['pull_request_closed 77', 'approvals_missing'])
    await look()
    const [entry, ...others] = await reportedClosed(late)
    assert.isEmpty(others)
    assert.containsSubset(entry.data, { fixRequestId: id, pullRequestNumber: 77 })
    const { body } = await admin.get(`${requests.replace('/fixRequest', '')}/whyNotMoving`)
    assert.containsSubset(body.warnings, [
      {
        code: 'fix_pull_request_closed',
        subject: { type: 'fixRequest', id, name: 'It crashes' },
      },
    ])
    await admin.put(`${requests}/${id}/reject`)
    assert.isEmpty((await show(id)).waitsFor)
    const after = await admin.get(`${requests.replace('/fixRequest', '')}/whyNotMoving`)
    assert.isEmpty(after.body.warnings)
  })

  test('records each time that it is closed', async ({ assert, cleanup }) => {
    const late = await makeLate(cleanup)
    const { pulls, ask, show, look } = late
    pulls.push(openPull(78))
    const id = await ask({ pullRequestNumbers: [78] })
    const turn = async (pull: (typeof pulls)[0]) => {
      pulls[0] = pull
      await look()
      return [...codesOf(await show(id)), (await reportedClosed(late)).length]
    }
    assert.deepEqual(await turn(openPull(78)), ['pull_request_open 78', 0])
    assert.deepEqual(await turn(overPull(78, 'closed')), ['pull_request_closed 78', 1])
    assert.deepEqual(await turn(overPull(78, 'closed')), ['pull_request_closed 78', 1])
    assert.deepEqual(await turn(openPull(78)), ['pull_request_open 78', 1])
    assert.deepEqual(await turn(overPull(78, 'closed')), ['pull_request_closed 78', 2])
  })

  test('takes its title from that, from a commit or a ticket by default', async ({
    assert,
    cleanup,
  }) => {
    const { pulls, admin, requests, tracker, look, repository } = await makeLate(cleanup)
    pulls.push(openPull(81, { title: 'Log in once' }))
    tracker.set('SHOP-8', { title: 'Cart is empty' })
    const commit = repository.commit({
      message: 'SHOP-8 Fill it\n\nAgain',
      files: { 'c.txt': 'c' },
    })
    await look()
    const titleOf = async (body: object) => {
      const { status, body: made } = await admin.post(requests, body)
      return status === 201 ? made.title : [status, made.errors[0].pointer]
    }
    assert.equal(await titleOf({ pullRequestNumbers: [81] }), 'Log in once')
    assert.equal(await titleOf({ ticketId: 'shop-8' }), 'Cart is empty')
    assert.equal(await titleOf({ commitHashes: [commit], ticketId: 'SHOP-8' }), 'SHOP-8 Fill it')
    assert.equal(await titleOf({ title: 'Mine', pullRequestNumbers: [81] }), 'Mine')
    assert.deepEqual(await titleOf({ ticketId: 'SHOP-99' }), [422, '/title'])
    assert.deepEqual(await titleOf({ pullRequestNumbers: [82] }), [422, '/title'])
  })

  test('shows that the host does not know it, and waits for its code', async ({
    assert,
    cleanup,
  }) => {
    const { ask, show, repository, look } = await makeLate(cleanup)
    const id = await ask({ pullRequestNumbers: [79] })
    assert.deepEqual(codesOf(await show(id)), ['pull_request_unknown 79'])
    repository.commit({ message: 'Fix (#79)', files: { 'fix.txt': '1' } })
    await look()
    await workAway()
    const shown = await show(id)
    assert.deepEqual([shown.status, shown.waitsFor], ['merged', []])
  })

  test('is made in time if the host never answers', async ({ assert, cleanup }) => {
    const { ask, show, hangs } = await makeLate(cleanup)
    hangs.pulls = true
    const id = await ask({ pullRequestNumbers: [80] })
    hangs.pulls = false
    assert.equal((await show(id)).status, 'approved')
  }).timeout(60_000)
})
