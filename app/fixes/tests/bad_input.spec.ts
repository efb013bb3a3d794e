import { test } from '@japa/runner'
import { overPull } from '#features/tests/support'
import { makeFlags } from '#features/tests/flags_support'
import { workAway } from '#releases/tests/helpers/code_world'
import type { Api } from '#tests/support/api'
import { snapshot } from '#tests/support/snapshot'
import { BRANCH, makeLate } from './late.js'

type Late = Awaited<ReturnType<typeof makeLate>>

interface Case {
  /** Runs first; its result goes into the request. */
  before?(late: Late): Promise<unknown>
  send(late: Late, made: any): ReturnType<Api['post']>
  answers: [status: number, code: string]
}

const appOf = ({ requests }: Late) => requests.replace(/\/release\/.*/, '')
const fix = ({ repository }: Late) =>
  repository.commit({ message: 'Fix', files: { 'fix.txt': '1' } })
const withForm = async (late: Late) => {
  const fields = [
    { id: 'risk', label: 'Risk', type: 'select', required: true, options: ['low', 'high'] },
    { id: 'tested', label: 'Tested', type: 'checkbox' },
  ]
  await late.admin.put(`${appOf(late)}/fixRequestFormFieldsSettings`, { fields })
}

/**
 * Returns everything stored, except when providers last answered, which is recorded a while later.
 */
async function stored(organizationId: string) {
  const tables = Object.entries(await snapshot([organizationId]))
  return Object.fromEntries(tables.filter(([name]) => name !== 'integrations'))
}

/** Refused requests, by name. */
const REFUSED: Record<string, Case> = {
  'a commit that is in already': {
    async before(late) {
      const hash = late.repository.git('rev-parse', BRANCH)
      await late.look()
      return hash
    },
    send: ({ admin, requests }, hash) =>
      admin.post(requests, { title: 'Fix', commitHashes: [hash] }),
    answers: [409, 'code_already_in'],
  },
  'what is no hash': {
    send: ({ admin, requests }) => admin.post(requests, { title: 'Fix', commitHashes: ['main'] }),
    answers: [422, 'invalid_input'],
  },
  'a commit that nobody has': {
    send: ({ admin, requests }) =>
      admin.post(requests, { title: 'Fix', commitHashes: ['F'.repeat(40)] }),
    answers: [422, 'invalid_input'],
  },
  'a pull request that was closed': {
    async before({ pulls }) {
      pulls.push(overPull(77, 'closed'))
    },
    send: ({ admin, requests }) => admin.post(requests, { title: 'Fix', pullRequestNumbers: [77] }),
    answers: [409, 'pull_request_closed'],
  },
  'an approval of who requested it': {
    before: (late) => late.ask({ commitHashes: [fix(late)] }),
    send: ({ admin, requests }, id) => admin.put(`${requests}/${id}/approve`),
    answers: [403, 'four_eyes'],
  },
  'an approval of one that was rejected': {
    async before(late) {
      const id = await late.ask({ commitHashes: [fix(late)] })
      await late.admin.put(`${late.requests}/${id}/reject`)
      return id
    },
    send: ({ admin, requests }, id) => admin.put(`${requests}/${id}/approve`),
    answers: [409, 'fix_request_closed'],
  },
  'a fix in a release that is complete': {
    before: ({ admin, path }) => admin.put(`${path('1.0.0')}/complete`),
    send: ({ admin, requests }) => admin.post(requests, { title: 'Fix' }),
    answers: [409, 'release_completed'],
  },
  'a fix in a release that is not kicked off': {
    before: ({ release }) => release('2.0.0'),
    send: ({ admin, path }) => admin.post(`${path('2.0.0')}/fixRequest`, { title: 'Fix' }),
    answers: [409, 'release_not_kicked_off'],
  },
  'a form without a field that is required': {
    before: withForm,
    send: ({ admin, requests }) => admin.post(requests, { title: 'Fix' }),
    answers: [422, 'invalid_input'],
  },
  'a field of another type': {
    before: withForm,
    send: ({ admin, requests }) =>
      admin.post(requests, {
        title: 'Fix',
        formFields: [
          { fieldId: 'risk', value: 'low' },
          { fieldId: 'tested', value: 'yes' },
        ],
      }),
    answers: [422, 'invalid_input'],
  },
  'a field that the form has not': {
    before: withForm,
    send: ({ admin, requests }) =>
      admin.post(requests, {
        title: 'Fix',
        formFields: [
          { fieldId: 'risk', value: 'low' },
          { fieldId: 'mood', value: 'good' },
        ],
      }),
    answers: [422, 'invalid_input'],
  },
  'an item to ignore that nobody knows': {
    send: ({ admin, path }) =>
      admin.post(`${path('1.0.0')}/frIgnoreUnignore`, { itemIds: ['wi_absent'] }),
    answers: [422, 'all_items_failed'],
  },
  'an issue that nobody knows': {
    send: (late) =>
      late.admin.post(`${appOf(late)}/triageIssue/issue_absent/requestFix`, {
        releaseId: late.requests.split('/').at(-2),
      }),
    answers: [404, 'not_found'],
  },
  'a text of 1 MB as an instruction': {
    send: ({ admin, path }) =>
      admin.post(`${path('1.0.0')}/notes/releaseNotes/metadata`, {
        instructions: 'x'.repeat(1024 * 1024),
      }),
    answers: [413, 'too_large'],
  },
}

test.group('A refused request about fixes leaves nothing behind', () => {
  test('{$self}')
    .with(Object.keys(REFUSED))
    .run(async ({ assert, cleanup }, name) => {
      const late = await makeLate(cleanup, { settings: { requireFixApprovals: true } })
      const { before, send, answers: results } = REFUSED[name]
      const made = await before?.(late)
      await workAway()
      const { organizationId } = late.world
      const [rows, refs] = [await stored(organizationId), late.repository.refs()]
      const { status, body } = await send(late, made)
      assert.deepEqual([status, (body as { code: string }).code], results)
      assert.deepEqual(await stored(organizationId), rows)
      await workAway()
      assert.deepEqual(late.repository.refs(), refs)
    })

  test('a commit that the host lacks at the time fails its request', async ({
    assert,
    cleanup,
  }) => {
    const { ask, show, tip, fails, repository } = await makeLate(cleanup)
    const before = tip()
    const unknown = 'f'.repeat(40)
    fails.compare = 'unavailable'
    const id = await ask({ commitHashes: [unknown] })
    delete fails.compare
    await workAway()
    const { status, failure, waitsFor } = await show(id)
    assert.equal(status, 'failed')
    assert.equal(failure.commitHash, unknown)
    assert.deepEqual(
      waitsFor.map(({ code }: any) => code),
      ['left_to_person']
    )
    assert.equal(tip(), before)
    assert.isTrue(repository.isSound())
  })

  test('a ticket without code waits for it', async ({ assert, cleanup }) => {
    const { ask, show, tip, tracker, look, items } = await makeLate(cleanup)
    tracker.set('SHOP-9', { versions: ['1.0.0'], done: true })
    const before = tip()
    const id = await ask({ ticketId: 'SHOP-9' })
    await look()
    assert.deepEqual([(await show(id)).status, tip()], ['approved', before])
    assert.equal((await items('1.0.0'))['SHOP-9'], 'missing missingCode')
  })

  test('a flag of another project is not found, and nothing is switched', async ({
    assert,
    cleanup,
  }) => {
    const { flags, admin, flag, world } = await makeFlags(cleanup)
    flags.add('theirs')
    const rows = await stored(world.organizationId)
    // The environment of the app is another one.
    flags.environment = 'theirs'
    const { status, body } = await admin.put(flag('theirs'), { enabled: true })
    assert.deepEqual([status, body.code], [404, 'not_found'])
    assert.deepEqual(await stored(world.organizationId), rows)
    assert.equal(flags.switches, 0)
  })
})
