import fc from 'fast-check'
import { test } from '@japa/runner'
import { contentHash, standingApprovals } from '../requests/fix_approvals.js'
import { makeFixes } from './support.js'
import { runs } from '#tests/support/effort'

/*
 * Any sequence of approvals and rejections by several people, checked against a model
 * that knows nothing of how it is stored: who has approved, and whether somebody rejected.
 */

const PEOPLE = ['ada', 'bob', 'eve', 'requester']

const command = fc.oneof(
  { weight: 9, arbitrary: fc.record({ says: fc.constant('approve'), who: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ says: fc.constant('reject'), who: fc.nat(3) }) }
)

test('a request is approved once N different people other than its requester approved it', async ({
  assert,
}) => {
  const fixes = await makeFixes()
  const { admin, app, request, requests, reported, key, person } = fixes
  const emails = await Promise.all(PEOPLE.map((name) => person(name)))
  const bot = await key('bot')
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 3 }),
      fc.boolean(),
      fc.array(command, { minLength: 1, maxLength: 8 }),
      async (requiredApprovals, fourEyes, commands) => {
        const form = { requiredApprovals, fourEyes }
        await admin.put(`/app/${app}/fixRequestFormFieldsSettings`, form)
        const before = (await reported()).length
        const { body: made } = await request({ requesterEmail: emails[3] }, bot)
        const approved = new Set<number>()
        let rejected = false
        let reached = false
        for (const { says, who } of commands) {
          const body = { userEmail: emails[who] }
          const { status } = await bot.put(`${requests}/${made.id}/${says}`, body)
          const isOwn = fourEyes && who === 3
          const expected = says === 'reject' ? 200 : rejected ? 409 : isOwn ? 403 : 200
          assert.equal(status, expected, `${says} by ${PEOPLE[who]}`)
          if (status === 200 && says === 'approve') approved.add(who)
          if (says === 'reject') rejected = true
          reached ||= approved.size >= requiredApprovals
          const shown = await fixes.show(made.id)
          assert.equal(shown.status, rejected ? 'rejected' : reached ? 'approved' : 'pending')
          assert.deepEqual(
            shown.approvals.map(({ user }: any) => user.email),
            [...approved].map((index) => emails[index])
          )
        }
        const types = (await reported()).slice(before).map(({ type }) => type)
        assert.deepEqual(types, [
          'fixRequest.created',
          ...(reached ? ['fixRequest.approved'] : []),
          ...(rejected ? ['fixRequest.rejected'] : []),
        ])
      }
    ),
    { numRuns: runs(15) }
  )
})

test('an approval counts for the same content, in whatever order it is named', ({ assert }) => {
  const commit = (hash: string) => ({ hash, message: null, author: null, url: null })
  const how = { wayIn: 'cherryPick' as const, mergeHead: null }
  const named = { commits: ['a', 'b'].map(commit), pullRequests: [10, 9], ticketId: null, ...how }
  const turned = { commits: ['b', 'a'].map(commit), pullRequests: [9, 10], ticketId: null, ...how }
  assert.equal(contentHash(named), contentHash(turned))
  const vote = { actor: { type: 'user', id: 'usr_1', name: 'Ada' }, at: '', comment: null } as const
  const approvals = [{ ...vote, hash: contentHash(named) }]
  assert.lengthOf(standingApprovals({ ...turned, approvals }), 1)
  const others = [
    { ...named, commits: [commit('a')] },
    { ...named, pullRequests: [10] },
    { ...named, ticketId: 'SHOP-1' },
    { ...named, wayIn: 'backMerge' as const },
  ]
  for (const other of others) assert.isEmpty(standingApprovals({ ...other, approvals }))
})
