import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { workAway } from '#releases/tests/helpers/code_world'
import { recordUnasked } from '../code/record_brought_code.js'
import { BRANCH, makeLate } from './late.js'

const waiting = { settings: { requireFixApprovals: true } }

/**
 * Makes a release with a merged fix by ticket, whose ticket gets more code before anybody approves.
 */
async function makeGoingOn(cleanup: Parameters<typeof makeLate>[0]) {
  const late = await makeLate(cleanup, waiting)
  const { repository, ask, look, admin, requests } = late
  const form = `${requests.replace(/\/release\/.*/, '')}/fixRequestFormFieldsSettings`
  await admin.put(form, { fourEyes: false })
  const one = repository.commit({ message: 'SHOP-3 One', files: { 'one.txt': '1' } })
  await look()
  const id = await ask({ ticketId: 'SHOP-3', wayIn: 'backMerge' })
  const two = repository.commit({ message: 'SHOP-3 Two', files: { 'two.txt': '1' } })
  await look()
  const approve = async () => {
    const { headers } = await admin.get(`${requests}/${id}`)
    const { status, text } = await admin.put(`${requests}/${id}/approve`, undefined, {
      headers: { 'if-match': headers.etag },
    })
    if (status !== 200) throw new Error(text)
  }
  return { ...late, one, two, id, approve }
}

test.group('A merge of a fix that gets more code', () => {
  test('needs a new approval for code after the merged commit', async ({ assert, cleanup }) => {
    const { repository, show, look, timeline, one, two, id, approve } = await makeGoingOn(cleanup)
    assert.equal((await show(id)).mergesCommit, one)
    await approve()
    await workAway()
    assert.equal(repository.git('rev-parse', `${BRANCH}^2`), one)
    await look()
    await workAway()
    const shown = await show(id)
    assert.deepEqual([shown.status, shown.mergesCommit, shown.approvals], ['pending', two, []])
    assert.deepEqual(
      shown.waitsFor.map(({ code }: any) => code),
      ['approvals_missing']
    )
    const [fell] = (await timeline('1.0.0')).filter(({ type }) => type === 'fix.approvalsFell')
    assert.containsSubset(fell.data, { mergeHead: { from: one, to: two } })
    await approve()
    await workAway()
    await look()
    assert.equal((await show(id)).status, 'merged')
    assert.equal(repository.git('rev-parse', `${BRANCH}^2`), two)
  })

  test('stays approved if it requires no approvals', async ({ assert, cleanup }) => {
    const { repository, ask, look, show, admin, requests } = await makeLate(cleanup)
    const form = `${requests.replace(/\/release\/.*/, '')}/fixRequestFormFieldsSettings`
    await admin.put(form, { fourEyes: false })
    const id = await ask({ pullRequestNumbers: [40], wayIn: 'backMerge' })
    const { status } = await admin.put(`${requests}/${id}/approve`)
    assert.equal(status, 200)
    const fix = repository.commit({ message: 'Fix (#40)', files: { 'fix.txt': '1' } })
    await look()
    const { status: now, mergesCommit } = await show(id)
    assert.deepEqual([now === 'pending', mergesCommit], [false, fix])
    await workAway()
    await look()
    assert.equal((await show(id)).status, 'merged')
    assert.equal(repository.git('rev-parse', `${BRANCH}^2`), fix)
  })

  test('is followed again after it was dropped', async ({ assert, cleanup }) => {
    const { ask, world } = await makeLate(cleanup)
    const id = await ask({ pullRequestNumbers: [40], wayIn: 'backMerge' })
    await workAway()
    const follows = () => db.from('jobs').where('kind', 'fixRequest.follow')
    await follows().delete()
    const row = await db.from('fix_requests').where('id', id).firstOrFail()
    const payload = {
      ...{ appId: row.app_id, releaseId: row.release_id, commit: 'a'.repeat(40) },
      ...{ integrationId: '1', connectionId: '1', branch: BRANCH, from: 'main' },
      askedBy: world.principal.actor,
    }
    const entry = {
      id: '1',
      subject: id,
      payload,
      attempt: 1,
      idempotencyKey: '1',
      isInDoubt: false,
    }
    await world.write((scope) => recordUnasked(scope, entry, false))
    assert.lengthOf(await follows().select('id'), 1)
  })
})
