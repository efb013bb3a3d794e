import { test } from '@japa/runner'
import type { Commit, VersionControl } from '#plugin-kit/capabilities/source'
import type { SeenRange } from '../work/code_look.js'
import { askPatches } from '../work/ask_patches.js'

const commit = (sha: string) =>
  ({
    sha,
    parents: [],
    message: '',
    author: '',
    at: '2026-11-23T10:00:00.000Z',
  }) as unknown as Commit
const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** Polls until nothing is owed; returns the requested hashes of each poll. */
async function looks(release: string[], working: string[], known: Set<string>, most = 20) {
  const requested: string[][] = []
  const versionControl = {
    compare: async () => ({ items: release.map(commit), behind: 0 }),
    async patchIds(shas: string[]) {
      requested.at(-1)!.push(...shas)
      return Object.fromEntries(shas.map((sha) => [sha, `patch of ${sha}`]))
    },
  } as unknown as VersionControl
  const range = { integrationId: 'git', base: 'b', head: 'h', baseName: 'b', headName: 'h' }
  const seen = (was: SeenRange['was'], came: string[]): SeenRange => ({
    ...{ range, was },
    delta: { isAnew: false, came: came.map(commit), went: [] },
  })
  for (let isOwed = true, look = 0; isOwed && look < most; look++) {
    requested.push([])
    const reported = await askPatches(versionControl, {
      release: seen(range, []),
      working: seen(range, []),
      isOwed,
      leftOut: async () => working.filter((sha) => !known.has(sha)).slice(0, 2001),
      leftOutAmong: async (some) => new Set(some.filter((sha) => !known.has(sha))),
    })
    for (const sha of reported.patches.keys()) known.add(sha)
    isOwed = reported.isOwed
  }
  return requested
}

test.group('Requests for patch ids', () => {
  test('reach each commit once, however many only the release has', async ({ assert }) => {
    const [release, working] = [named('r', 2500), named('w', 4500)]
    const requested = await looks(release, working, new Set())
    assert.deepEqual(
      requested.map(({ length }) => length),
      [2000, 2000, 2000, 1000]
    )
    assert.sameMembers(requested.flat(), [...release, ...working])
  })

  test('leave out known commits', async ({ assert }) => {
    const release = named('r', 30)
    assert.deepEqual(await looks(release, [], new Set(release)), [[]])
    assert.deepEqual(await looks(release, ['w'], new Set(release)), [['w']])
  })
})
