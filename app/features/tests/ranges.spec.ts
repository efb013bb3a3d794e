import { test } from '@japa/runner'
import fc from 'fast-check'
import type { TestRepository } from '#integrations/providers/git/tests/support/repositories'
import { makeFeatures } from './support.js'
import { runs } from '#tests/support/effort'

/*
 * The stored code of a release equals what git says, whatever was done to its branches and however
 * much of that came between two polls.
 */

type Step =
  | { do: 'commit' | 'merge' | 'revert' | 'pick' | 'mergeBack'; on: 'main' | 'release' }
  | { do: 'force' | 'rewrite' | 'follow'; on: 'main' | 'release' }
  | { do: 'look' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('commit' as const, 'merge', 'revert', 'pick', 'mergeBack'),
      on: fc.constantFrom('main' as const, 'release'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('force' as const, 'rewrite', 'follow'),
      on: fc.constantFrom('main' as const, 'release'),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'look' as const }) }
)

const BRANCH = { main: 'main', release: 'release/1.0.0' }

function change(repository: TestRepository, each: Exclude<Step, { do: 'look' }>, number: number) {
  const branch = BRANCH[each.on]
  const ref = `refs/heads/${branch}`
  const other = BRANCH[each.on === 'main' ? 'release' : 'main']
  const tip = repository.git('rev-parse', ref)
  switch (each.do) {
    case 'commit':
      return void repository.commit({ branch, message: `Work ${number}` })
    case 'merge': {
      repository.git('update-ref', `refs/heads/topic-${number}`, tip)
      const topic = repository.commit({ branch: `topic-${number}`, message: `Topic ${number}` })
      return void repository.commit({ branch, message: `Merge topic ${number}`, merge: topic })
    }
    case 'mergeBack':
      return void repository.commit({
        branch,
        message: `Merge ${other}`,
        merge: `refs/heads/${other}`,
      })
    case 'revert':
      return void repository.commit({ branch, message: `No\n\nThis reverts commit ${tip}.` })
    case 'pick': {
      const picked = repository.git('rev-parse', `refs/heads/${other}`)
      const message = `Picked\n\n(cherry picked from commit ${picked})`
      return void repository.commit({ branch, message })
    }
    case 'follow':
      // Moves to the other branch, as a fast-forward or by force.
      return void repository.git('update-ref', ref, `refs/heads/${other}`)
    case 'force': {
      // Moves back to an earlier commit, as when a push is undone.
      const lines = repository.git('rev-list', '--first-parent', '--max-count=3', ref).split('\n')
      if (lines.length > 2) repository.git('update-ref', ref, lines[1])
      return
    }
    case 'rewrite': {
      const lines = repository.git('rev-list', '--first-parent', '--max-count=3', ref).split('\n')
      if (lines.length < 3) return
      repository.git('update-ref', ref, lines[2])
      return void repository.commit({ branch, message: `Rewritten ${number}` })
    }
  }
}

test.group('The commits of a release', () => {
  test('are those that git lists, whatever happened between two polls', async ({
    assert,
    cleanup,
  }) => {
    const { repository, release, kickOff, look, world, tracker } = await makeFeatures(cleanup)
    repository.git('tag', 'v0.9.0', repository.commit())
    for (let index = 0; index < 4; index++) repository.commit()
    await release('1.0.0')
    await look()
    await kickOff('1.0.0')
    tracker.searches = []
    const seen = async (side: string) => {
      const rows: { hash: string; place: number }[] = await world.write((scope) =>
        scope.table('release_commits').where('side', side).orderBy('place', 'desc')
      )
      return rows.map(({ hash }) => hash)
    }
    const listed = (range: string) =>
      repository.git('rev-list', '--topo-order', range).split('\n').filter(Boolean)
    let number = 0
    const check = async () => {
      await look()
      const own = `refs/heads/${BRANCH.release}`
      assert.sameMembers(await seen('release'), listed(`refs/tags/v0.9.0..${own}`))
      assert.sameMembers(await seen('working'), listed(`${own}..refs/heads/main`))
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        for (const each of steps) {
          if (each.do === 'look') await check()
          else change(repository, each, ++number)
        }
        await check()
      }),
      {
        numRuns: runs(10),
        examples: [
          // Both have the commits since the last poll, with and without a merge of their own.
          [
            [
              { do: 'commit', on: 'main' },
              { do: 'mergeBack', on: 'release' },
            ],
          ],
          [[{ do: 'commit', on: 'release' }, { do: 'look' }, { do: 'follow', on: 'main' }]],
        ],
      }
    )
  }).timeout(240_000)
})
