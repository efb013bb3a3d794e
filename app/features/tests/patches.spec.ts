import { test } from '@japa/runner'
import fc from 'fast-check'
import { makeFeatures } from './support.js'
import { runs } from '#tests/support/effort'

const RELEASE = 'release/1.0.0'

/** Makes a release that is kicked off after a commit that both branches have. */
async function makeApart(cleanup: Parameters<typeof makeFeatures>[0]) {
  const made = await makeFeatures(cleanup)
  const { repository, release, kickOff, look, world, admin, app } = made
  repository.git('tag', 'v0.9.0', repository.commit())
  repository.commit({ message: 'Of both', files: { 'list.txt': 'one\ntwo\nthree\n' } })
  await release('1.0.0')
  await kickOff('1.0.0')
  await look()
  return {
    ...made,
    /** Brings a change without naming its origin anywhere. */
    bring: (message: string, files: Record<string, string>) =>
      repository.commit({ branch: RELEASE, message, files, author: 'Eve <eve@acme.example>' }),
    /** Returns the versions that have a commit. */
    async holders(commit: string) {
      const { body } = await admin.get(`/app/${app}/whereIs?commit=${commit}`)
      return (body.apps?.[0].releases ?? []).map(({ version }: any) => version) as string[]
    },
    patchesOf: (side: string) =>
      world.write(async (scope) => {
        const rows: { hash: string; patch_id: string | null }[] = await scope
          .table('release_commits')
          .where('side', side)
        return Object.fromEntries(rows.map((row) => [row.hash, row.patch_id]))
      }),
  }
}

test.group('The same change under another hash, author and message', () => {
  test('is in the release', async ({ assert, cleanup }) => {
    const { repository, look, bring, holders, items } = await makeApart(cleanup)
    const files = { 'fix.txt': 'fixed\n' }
    const fix = repository.commit({ message: 'Fix', files })
    const other = repository.commit({ message: 'Other', files: { 'fix.txt': 'fixed\nmore\n' } })
    const picked = bring('What the customer asked for', files)
    await look()
    assert.match(repository.git('cherry', RELEASE, 'main'), new RegExp(`^- ${fix}$`, 'm'))
    assert.deepEqual(await holders(fix), ['1.0.0'])
    assert.deepEqual(await holders(picked), ['1.0.0'])
    assert.deepEqual(await holders(other), [])
    assert.property(await items('1.0.0'), 'What the customer asked for')
  })

  test('is found in a pick of several commits', async ({ assert, cleanup }) => {
    const { repository, look, bring, holders } = await makeApart(cleanup)
    const one = repository.commit({ message: 'One', files: { 'one.txt': '1\n' } })
    const other = repository.commit({ message: 'Other', files: { 'other.txt': '1\n' } })
    const third = repository.commit({ message: 'Third', files: { 'third.txt': '1\n' } })
    const notes = [one, other].map((hash) => `(cherry picked from commit ${hash})`)
    // With line ends as a host’s web editor writes them.
    bring(`Both\r\n\r\n${notes.join('\r\n')}\r\n`, { 'one.txt': '1\n', 'other.txt': '1\n' })
    await look()
    assert.deepEqual(await Promise.all([one, other, third].map(holders)), [
      ['1.0.0'],
      ['1.0.0'],
      [],
    ])
  })

  test('is found once the host reports patch ids', async ({ assert, cleanup }) => {
    const { repository, look, bring, holders, items, fails, patchesOf } = await makeApart(cleanup)
    const files = { 'fix.txt': 'fixed\n' }
    const fix = repository.commit({ message: 'Fix', files })
    const picked = bring('What the customer asked for', files)
    fails.patches = 'rateLimited'
    await look()
    // Other observations remain.
    assert.deepEqual(await holders(picked), ['1.0.0'])
    assert.property(await items('1.0.0'), 'What the customer asked for')
    assert.deepEqual(await holders(fix), [])
    delete fails.patches
    await look()
    assert.deepEqual(await holders(fix), ['1.0.0'])
    // Nothing is owed any more: a host that fails again is not asked.
    fails.patches = 'unavailable'
    await look()
    assert.deepEqual(await holders(fix), ['1.0.0'])
    assert.isTrue(Object.values(await patchesOf('working')).every((each) => each !== null))
  })

  test('does not block a poll if the host does not report patch ids at all', async ({
    assert,
    cleanup,
  }) => {
    const { repository, look, bring, holders, fails } = await makeApart(cleanup)
    const fix = repository.commit({ message: 'Fix', files: { 'fix.txt': 'fixed\n' } })
    const own = bring('Own', { 'own.txt': 'own\n' })
    for (const code of ['forbidden', 'notFound', 'invalid'] as const) {
      fails.patches = code
      await look()
      assert.deepEqual([await holders(own), await holders(fix)], [['1.0.0'], []])
    }
  })

  test('is reverted with the original', async ({ assert, cleanup }) => {
    const { repository, look, bring, holders } = await makeApart(cleanup)
    const files = { 'fix.txt': 'fixed\n' }
    const fix = repository.commit({ message: 'Fix', files })
    const picked = bring('Brought', files)
    repository.commit({
      branch: RELEASE,
      message: `Not yet\n\nThis reverts commit ${picked}.`,
      files: { 'fix.txt': null },
    })
    await look()
    assert.deepEqual(await holders(fix), [])
  })

  test('is what git finds, whatever is picked where, and whenever it is polled', async ({
    assert,
    cleanup,
  }) => {
    const { repository, look, patchesOf } = await makeApart(cleanup)
    let number = 0
    const open: { on: string; files: Record<string, string> }[] = []
    const other = (branch: string) => (branch === 'main' ? RELEASE : 'main')
    const step = fc.record({
      do: fc.constantFrom('commit' as const, 'pick', 'look'),
      on: fc.constantFrom('main', RELEASE),
      place: fc.nat(20),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const { do: what, on, place } of steps) {
          if (what === 'look') await look()
          const files = { [`work-${++number}.txt`]: `${number}\n` }
          if (what === 'commit') {
            repository.commit({ branch: on, message: `Work ${number}`, files })
            open.push({ on, files })
          } else if (what === 'pick' && open.length > 0) {
            const [{ on: from, files: same }] = open.splice(place % open.length, 1)
            repository.commit({ branch: other(from), message: `Taken ${number}`, files: same })
          }
        }
        await look()
        const cherry = repository.git('cherry', `refs/heads/${RELEASE}`, 'refs/heads/main')
        const equal = cherry.split('\n').filter((line) => line.startsWith('- '))
        const own = new Set(Object.values(await patchesOf('release')))
        const found = Object.entries(await patchesOf('working')).flatMap(([hash, patch]) =>
          patch !== null && own.has(patch) ? [`- ${hash}`] : []
        )
        assert.sameMembers(found, equal)
      }),
      { numRuns: runs(8), seed: Number(process.env.TEST_SEED ?? Date.now() % 1e9) }
    )
  }).timeout(240_000)
})
