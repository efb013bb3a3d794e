import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeApprovalWorld } from './helpers/approvals.js'

const reason = 'The store closes for the holidays tonight.'
const breakGlass = { reason }

test.group('Breaking the glass', () => {
  test('200 approves at once against the rules, and records that in audit and timeline', async ({
    assert,
  }) => {
    const { world, item, vote, timeline } = await makeApprovalWorld()
    const made = await item('approval', { fourEyes: true, requiredApprovals: 3 })
    assert.equal((await vote(made.id)).status, 403)
    const { status, body } = await vote(made.id, { breakGlass, comment: 'Sorry.' })
    assert.equal(status, 200)
    assert.containsSubset(body, {
      status: { type: 'approved', comment: { text: 'Sorry.' } },
      approvals: [{ actor: { name: 'admin' }, comment: reason, brokenGlass: true }],
    })
    const recorded = (await timeline()).slice(-3)
    assert.deepEqual(
      recorded.map(({ type }) => type),
      ['approval.brokenGlass', 'checklistItem.statusChanged', 'releaseStep.statusChanged']
    )
    assert.equal(recorded[0].data.reason, reason)
    const [audited, ...more] = await db
      .from('audit_entries')
      .where({ organization_id: world.organizationId, action: 'approval.brokenGlass' })
    assert.isEmpty(more)
    assert.equal(audited.subject, made.id)
    assert.containsSubset(JSON.parse(audited.actor), { name: 'admin' })
    assert.containsSubset(JSON.parse(audited.data), { reason })
  })

  test('200 after an own vote; a change of the content withdraws it like any vote', async ({
    assert,
  }) => {
    const { item, vote, changeTexts, releaseItem } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: 2 })
    await vote(made.id)
    const { body } = await vote(made.id, { breakGlass })
    assert.equal(body.status.type, 'approved')
    await changeTexts('Faster.')
    assert.containsSubset(await releaseItem(made.id), {
      status: { type: 'notStarted' },
      approvals: [],
    })
  })

  test('200 with the longest title and reason; the reason is not in the title', async ({
    assert,
  }) => {
    const { item, vote, timeline } = await makeApprovalWorld()
    const made = await item('approval', { title: 't'.repeat(200) })
    const long = 'r'.repeat(1000)
    const { status } = await vote(made.id, { breakGlass: { reason: long } })
    assert.equal(status, 200)
    const [recorded] = (await timeline()).filter(({ type }) => type === 'approval.brokenGlass')
    assert.equal(recorded.data.reason, long)
    assert.notInclude(recorded.title, 'rr')
  })

  test('403 for a key that is not an admin key', async ({ assert }) => {
    const { item, vote, key, releaseItem } = await makeApprovalWorld()
    const made = await item('approval')
    const { status, body } = await vote(made.id, { breakGlass }, await key('approver'))
    assert.deepEqual([status, body.code], [403, 'admin_required'])
    assert.equal((await releaseItem(made.id)).status.type, 'notStarted')
  })

  test('200 repeating it changes nothing, 409 with another reason', async ({ assert }) => {
    const { item, vote, timeline } = await makeApprovalWorld()
    const made = await item('approval', { requiredApprovals: 2 })
    const { body: broken } = await vote(made.id, { breakGlass })
    const reported = await timeline()
    const again = await vote(made.id, { breakGlass })
    assert.deepEqual([again.status, again.body], [200, broken])
    const other = await vote(made.id, { breakGlass: { reason: 'Because I can do it.' } })
    assert.deepEqual([other.status, other.body.code], [409, 'conflict'])
    assert.deepEqual(await timeline(), reported)
  })

  test('409 for an item that is already approved', async ({ assert }) => {
    const { item, vote } = await makeApprovalWorld()
    const made = await item('approval')
    await vote(made.id)
    const { status, body } = await vote(made.id, { breakGlass })
    assert.equal(status, 409)
    assert.containsSubset(body, { code: 'conflict', currentStatus: 'approved' })
  })

  test('422 without a proper reason, and for other statuses and kinds', async ({ assert }) => {
    const { item, vote } = await makeApprovalWorld()
    const made = await item('approval')
    for (const broken of [{}, { reason: 'hurry' }, { reason: 'x'.repeat(1001) }, 'hurry up now']) {
      assert.equal((await vote(made.id, { breakGlass: broken })).status, 422)
    }
    const blank = await vote(made.id, { breakGlass: { reason: ' '.repeat(20) } })
    assert.equal(blank.status, 422)
    const rejected = await vote(made.id, { breakGlass, status: 'rejected' })
    assert.containsSubset(rejected.body.errors, [{ pointer: '/breakGlass' }])
    const checklist = await item('checklistItem')
    const other = await vote(checklist.id, { breakGlass, status: 'complete' })
    assert.containsSubset(other.body.errors, [{ pointer: '/breakGlass', code: 'approvals_only' }])
  })
})
