import { test } from '@japa/runner'
import fc from 'fast-check'
import { makeFeatures } from '#features/tests/support'
import { codeKind, ticketsKind } from '#features/work_kinds'
import { workAway } from '#releases/tests/helpers/code_world'
import { runs } from '#tests/support/effort'

/*
 * Code, tickets, requests and polls come in any order. Once everything was observed, work items and
 * fix requests are the same in each order.
 */

type Made = Awaited<ReturnType<typeof makeFeatures>>
const BRANCH = 'release/1.0.0'

/** The independent steps, each done once. Each has a file of its own, so none conflict. */
const HAPPENS = {
  late: ({ repository }: Made) =>
    void repository.commit({ message: 'SHOP-2 Late fix', files: { 'late.txt': '1' } }),
  own: ({ repository }: Made) =>
    void repository.commit({ branch: BRANCH, message: 'SHOP-1 Mended', files: { 'own.txt': '1' } }),
  other: ({ repository }: Made) =>
    void repository.commit({ message: 'Of the next one', files: { 'next.txt': '1' } }),
  done: ({ tracker }: Made) => tracker.set('SHOP-1', { done: true, status: 'Done' }),
  affiliated: ({ tracker }: Made) => tracker.set('SHOP-2', { versions: ['1.0.0'], done: true }),
  empty: ({ tracker }: Made) => tracker.set('SHOP-3', { versions: ['1.0.0'] }),
  asked: async ({ admin, path }: Made) => {
    const body = { title: 'Late fix', ticketId: 'SHOP-2' }
    const { status, text } = await admin.post(`${path('1.0.0')}/fixRequest`, body)
    if (status !== 201) throw new Error(text)
  },
}
const LOOKS = {
  pollCode: [codeKind],
  pollTickets: [ticketsKind],
  lookAtBoth: [codeKind, ticketsKind],
}

type Step = keyof typeof HAPPENS | keyof typeof LOOKS
const names = Object.keys(HAPPENS) as (keyof typeof HAPPENS)[]

async function lookAt({ world, app }: Made, kinds: readonly (typeof codeKind)[]) {
  await world.write(async (scope) => {
    const { id } = await scope.table('releases').where('app_id', app).firstOrFail()
    for (const kind of kinds) await scope.jobs.move(kind, id, scope.now)
  })
  await workAway()
}

/** Returns the final state after all steps were done in an order. */
async function outcome(cleanup: Parameters<typeof makeFeatures>[0], steps: readonly Step[]) {
  const made = await makeFeatures(cleanup)
  const { repository, tracker, release, kickOff, look, items, admin, path } = made
  repository.commit({ message: 'Long ago' })
  repository.git('tag', 'v0.9.0', 'main')
  tracker.set('SHOP-1', { versions: ['1.0.0'] })
  tracker.set('SHOP-2')
  repository.commit({ message: 'SHOP-1 Log in', files: { 'login.txt': '1' } })
  await release('1.0.0')
  await kickOff('1.0.0')
  for (const step of steps) {
    if (step in LOOKS) await lookAt(made, LOOKS[step as keyof typeof LOOKS])
    else await HAPPENS[step as keyof typeof HAPPENS](made)
  }
  for (let round = 0; round < 3; round++) await look()
  const { body: fixes } = await admin.get(`${path('1.0.0')}/fixRequest`)
  const { body: shown } = await admin.get(`${path('1.0.0')}/steps`)
  const readiness = shown.find(({ type }: any) => type === 'featureReadiness')
  return {
    items: await items('1.0.0'),
    fixes: fixes.map(({ title, status }: any) => [title, status]),
    readiness: [readiness.status, readiness.data],
    subjects: repository.git('log', '--format=%s', `v0.9.0..${BRANCH}`).split('\n').sort(),
  }
}

test.group('In whatever order things happen', () => {
  test('work items, fix requests and the branch are the same in the end', async ({
    assert,
    cleanup,
  }) => {
    const expected = await outcome(cleanup, names)
    assert.deepEqual(expected.fixes, [['Late fix', 'merged']])
    assert.deepEqual(expected.items, {
      'SHOP-1': 'inRelease ready',
      'SHOP-2': 'inRelease ready',
      'SHOP-3': 'missing missingCode',
    })
    const looks = fc.array(fc.constantFrom('pollCode', 'pollTickets', 'lookAtBoth'), {
      maxLength: 5,
    })
    const order = looks.chain((some) =>
      fc.shuffledSubarray([...names, ...some] as Step[], {
        minLength: names.length + some.length,
        maxLength: names.length + some.length,
      })
    )
    await fc.assert(
      fc.asyncProperty(order, async (steps) => {
        assert.deepEqual(await outcome(cleanup, steps), expected)
      }),
      {
        numRuns: runs(8),
        endOnFailure: true,
        seed: Number(process.env.TEST_SEED ?? Date.now() % 1e9),
      }
    )
  }).timeout(240_000)
})
