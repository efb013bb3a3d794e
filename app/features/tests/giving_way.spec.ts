import { test } from '@japa/runner'
import type { Commit } from '#plugin-kit/capabilities/source'
import type { Ticket } from '#plugin-kit/capabilities/work'
import type Release from '#releases/models/release'
import { releaseStillThere } from '#releases/queries/find_release'
import type { Scope } from '#foundation/core/scope'
import { yieldsOf } from '#tests/support/yields'
import { featureItemsOf } from '../queries/feature_items.js'
import { seenCommits } from '../queries/seen_commits.js'
import { releaseFeaturesOf, type ReleaseFeatures } from '../queries/release_features.js'
import { deriveFeatures } from '../readiness/derive_features.js'
import { takeCode } from '../readiness/take_code.js'
import { takeTickets } from '../readiness/take_tickets.js'
import { makeFeatures } from './support.js'

const COMMITS = 600
const TICKETS = 500
const AT = '2026-11-20T12:00:00.000Z'

const hashOf = (index: number) => index.toString(16).padStart(40, '0')

/** Returns a line of commits, newest first, none of which names a ticket. */
const commits: Commit[] = Array.from({ length: COMMITS }, (_, index) => ({
  sha: hashOf(COMMITS - index),
  message: `Change ${COMMITS - index}`,
  author: 'Ada',
  email: 'ada@acme.example',
  at: AT,
  parents: [hashOf(COMMITS - index - 1)],
}))

const range = {
  integrationId: 'int_code',
  base: hashOf(0),
  head: hashOf(COMMITS),
  baseName: 'v0.9.0',
  headName: 'main',
}

/** Returns an observation of code; patches are given by commit hash. */
const look = (came: Commit[], patches: ReadonlyMap<string, string> = new Map()) => ({
  repository: 'app.git',
  missingBranch: null,
  renamedTo: null,
  release: {
    range,
    was: came.length > 0 ? null : range,
    delta: { isAnew: came.length > 0, came, went: [] },
  },
  working: null,
  openPulls: null,
  pulls: [],
  patches,
  patchesOwed: false,
  awaited: [],
})

const tickets = (title: string): Ticket[] =>
  Array.from({ length: TICKETS }, (_, index) => ({
    ...{ id: `${index}`, key: `SHOP-${index}`, title, status: 'Done', done: true },
    ...{ labels: [], versions: [] },
  }))

test.group('An observation of much code and many tickets', () => {
  test('is stored with the thread yielded in between', async ({ assert, cleanup }) => {
    const { world, release, app } = await makeFeatures(cleanup)
    await release('1.0.0')
    /** Counts how often an ingestion yields. */
    const turns = (
      take: (scope: Scope, release: Release, features: ReleaseFeatures) => Promise<unknown>
    ) =>
      world.write(async (scope) => {
        const row = await scope
          .table('releases')
          .where({ app_id: app, version: '1.0.0' })
          .select('id')
          .first()
        const found = (await releaseStillThere(scope, app, row.id))!
        const features = (await releaseFeaturesOf(scope, found.id))!
        return yieldsOf(() => take(scope, found, features))
      })

    // Each hundred that is stored gives way by itself.
    const stored = COMMITS / 100
    const code = await turns((...given) => takeCode(...given, look(commits)))
    assert.isAtLeast(code, 2 * stored)
    const patches = new Map(commits.map(({ sha }) => [sha, `patch of ${sha}`]))
    const patched = await turns((...given) => takeCode(...given, look([], patches)))
    assert.isAtLeast(patched, COMMITS / 100)

    const integrationId = 'int_tickets'
    const seen = (title: string) => ({
      ...{ integrationId, projects: ['SHOP'], doneStatuses: [], named: [], asked: [] },
      ...{ affiliated: tickets(title), otherwise: new Map() },
    })
    await turns((...given) => takeTickets(...given, [seen('One')]))
    const changed = await turns((...given) => takeTickets(...given, [seen('Other')]))
    assert.isAtLeast(changed, TICKETS / 50)

    await turns((scope, found) => deriveFeatures(scope, found))
    // Nothing differs, so nothing is stored: only reading, deriving and comparing yield.
    const settled = await turns((scope, found) => deriveFeatures(scope, found))
    const [read, derived] = [3, (2 * COMMITS + TICKETS) / 100]
    assert.isAtLeast(settled, read + derived + (COMMITS + TICKETS) / 50)

    const known: { hash: string; place: number }[] = []
    const reading = async (scope: Scope, { id }: Release) =>
      void known.push(...(await seenCommits(scope, id)))
    assert.isAtLeast(await turns(reading), COMMITS / 500)
    assert.deepEqual(
      known.map(({ hash }) => hash),
      commits.map(({ sha }) => sha).reverse()
    )
    const items: string[] = []
    const listing = async (scope: Scope, { id }: Release) =>
      void items.push(...(await featureItemsOf(scope, id)).map((each) => each.id))
    assert.isAtLeast(await turns(listing), (COMMITS + TICKETS) / 500)
    assert.lengthOf(new Set(items), COMMITS + TICKETS)
  })
})
