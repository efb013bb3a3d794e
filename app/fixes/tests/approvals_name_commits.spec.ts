import { test } from '@japa/runner'
import { workAway } from '#releases/tests/helpers/code_world'
import { BRANCH, makeLate } from './late.js'

/** Makes a request to merge whose commit changes after somebody has read it. */
async function makeRead(cleanup: Parameters<typeof makeLate>[0]) {
  const late = await makeLate(cleanup, { settings: { requireFixApprovals: true } })
  const { repository, ask, look, admin, requests, show } = late
  const form = `${requests.replace(/\/release\/.*/, '')}/fixRequestFormFieldsSettings`
  await admin.put(form, { fourEyes: false })
  const one = repository.commit({ message: 'Fix (#41)', files: { 'one.txt': '1' } })
  await look()
  const id = await ask({ pullRequestNumbers: [41], wayIn: 'backMerge' })
  const read = await admin.get(`${requests}/${id}`)
  return {
    ...late,
    one,
    id,
    read,
    /** Forces the working branch elsewhere, where the fix is another commit. */
    async moveOn() {
      repository.git('update-ref', 'refs/heads/main', 'refs/heads/main~1')
      repository.commit({ message: 'Secret', files: { 'secret.txt': '1' } })
      const two = repository.commit({ message: 'Fix (#41)', files: { 'one.txt': '1' } })
      await look()
      if ((await show(id)).mergesCommit !== two) throw new Error('It is not pinned')
      return two
    },
    async approve(body?: object, ifMatch?: string) {
      const headers: Record<string, string> = ifMatch ? { 'if-match': ifMatch } : {}
      const response = await admin.put(`${requests}/${id}/approve`, body, { headers })
      const { approvals, status } = await show(id)
      return [response.status, response.body.code ?? null, approvals.length, status]
    },
  }
}

test.group('An approval of a merge', () => {
  test('428 says which commit it is for', async ({ assert, cleanup }) => {
    const { approve } = await makeRead(cleanup)
    const refused = [428, 'precondition_required', 0, 'pending']
    assert.deepEqual(await approve(), refused)
    assert.deepEqual(await approve({ comment: 'Fine', mergesCommit: null }), refused)
    // `If-Match: *` proves nothing about what was read.
    assert.deepEqual(await approve(undefined, '*'), refused)
  })

  for (const by of ['mergesCommit', 'If-Match'] as const) {
    test(`412 does not count for a commit that was not read, by ${by}`, async ({
      assert,
      cleanup,
    }) => {
      const made = await makeRead(cleanup)
      const { approve, moveOn, read, one, tip, look, repository, admin, requests, id } = made
      const said = (commit: string, tag: string) =>
        by === 'If-Match' ? approve(undefined, tag) : approve({ mergesCommit: commit })
      const two = await moveOn()
      const before = tip()
      const refused = [412, 'precondition_failed', 0, 'pending']
      assert.deepEqual(await said(one, read.headers.etag), refused)
      assert.deepEqual(await approve({ mergesCommit: one }, '*'), refused)
      await look()
      assert.equal(tip(), before)
      const { headers } = await admin.get(`${requests}/${id}`)
      assert.deepEqual(await said(two, headers.etag), [200, null, 1, 'approved'])
      await workAway()
      assert.equal(repository.git('rev-parse', `${BRANCH}^2`), two)
    })
  }

  test('200 needs no commit while it is unknown, nor for cherry-picks', async ({
    assert,
    cleanup,
  }) => {
    const { ask, admin, requests, repository } = await makeRead(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
    for (const body of [
      { pullRequestNumbers: [99], wayIn: 'backMerge' },
      { commitHashes: [fix], pullRequestNumbers: [41] },
    ]) {
      const { status, body: shown } = await admin.put(`${requests}/${await ask(body)}/approve`)
      assert.deepEqual([status, shown.status, shown.approvals.length], [200, 'approved', 1])
    }
  })
})
