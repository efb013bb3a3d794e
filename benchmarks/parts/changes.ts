import { createHash } from 'node:crypto'
import Database from 'better-sqlite3'
import { enteredAt } from '#features/code/commit_line'
import { fixed, inTurn, median, ratio, timings, reported } from '../figures.js'
import type { Row } from '../part.js'
import { makeApp, makeRelease, seed } from '../seed.js'
import { Stand } from '../stand.js'

const RELEASES = 20
const FEW = 3000
const MANY = 300_000
const BUILDS = 10
const ASKED = 60

const hashOf = (name: string) => createHash('sha1').update(name).digest('hex')

interface Commit {
  hash: string
  place: number
  parents: string[]
}

/** A range of commits after a given one, oldest first: every tenth merges the one before it. */
function range(release: number, count: number, after: string): Commit[] {
  const commits: Commit[] = []
  let tip = after
  for (let place = 1; place <= count; place++) {
    const hash = hashOf(`${release} ${place}`)
    const last = commits.at(-1)
    const isSide = place % 10 === 9
    const isMerge = place % 10 === 0 && last !== undefined
    commits.push({ hash, place, parents: isMerge ? [tip, last.hash] : [tip] })
    // A side commit is on no line; the merge after it brings it.
    if (!isSide) tip = hash
  }
  return commits
}

/**
 * Makes an app whose releases have this many commits in all; answers a function that times
 * `whereIs` requests.
 */
async function makeHistory(stand: Stand, commits: number) {
  const seeded = await seed(stand)
  const { api, organizationId } = seeded
  const appId = await makeApp(seeded, 'History', 2)
  for (let minor = 0; minor < RELEASES; minor++) await makeRelease(seeded, appId, `1.${minor}.0`)
  const database = new Database(stand.sqliteFile)
  const ids = database
    .prepare('select id from releases where app_id = ? order by version_minor')
    .pluck()
    .all(appId) as string[]
  const now = new Date().toISOString()
  const insertCommit =
    database.prepare(`insert into release_commits (organization_id, app_id, release_id,
    side, hash, place, message, author, committed_at, parents, tickets, picked_from, reverts,
    entered, text_key) values (?, ?, ?, 'release', ?, ?, ?, 'Ada', ?, ?, '[]', '[]', '[]', ?, ?)`)
  const insertRange =
    database.prepare(`insert into release_features (release_id, organization_id, app_id,
    watches_code, watches_tickets, release_range, release_edge, mentioned, open_pulls, code_seen_at)
    values (?, ?, ?, 0, 0, ?, ?, '[]', '[]', ?)
    on conflict (release_id) do update set release_range = excluded.release_range,
      release_edge = excluded.release_edge`)
  const insertBuild = database.prepare(`insert into ci_builds (id, organization_id, app_id,
    integration_id, build_identifier, is_requested, status, branch, commit_hash, workflow_id,
    workflow_name, started_at, release_id, created_by, created_at, updated_at)
    values (?, ?, ?, 'generic-ci', ?, 0, 'success', 'release', ?, 'rc', 'rc', ?, ?, ?, ?, ?)`)
  const actor = JSON.stringify({ type: 'system', id: null, name: 'bench' })
  const perRelease = commits / RELEASES
  let base = hashOf('base')
  const asked: string[] = []
  for (const [release, id] of ids.entries()) {
    const own = range(release, perRelease, base)
    const head = own.at(-1)!.hash
    const entered = enteredAt(own, head)
    database.transaction(() => {
      for (const { hash, place, parents } of own) {
        const message = `Change ${place} of release ${release}, and why it was made`
        const cameInAt = entered.get(hash) ?? null
        insertCommit.run(
          organizationId,
          appId,
          id,
          hash,
          place,
          message,
          now,
          JSON.stringify(parents),
          cameInAt,
          hashOf(message)
        )
      }
      const releaseRange = { integrationId: 'none', base, head, baseName: 'base', headName: 'head' }
      insertRange.run(
        id,
        organizationId,
        appId,
        JSON.stringify(releaseRange),
        JSON.stringify([{ hash: base, at: 1 }]),
        now
      )
      for (let index = 1; index <= BUILDS; index++) {
        const commit = own[Math.floor((own.length * index) / BUILDS) - 1]
        const name = `b${release}x${index}`
        insertBuild.run(name, organizationId, appId, name, commit.hash, now, id, actor, now, now)
      }
    })()
    for (let index = 0; index < 3; index++)
      asked.push(own[Math.floor((own.length * index) / 3)].hash)
    base = head
  }
  database.exec('analyze')
  database.close()
  let turn = 0
  const ask = () => api.call('GET', `/app/${appId}/whereIs?commit=${asked[turn++ % asked.length]}`)
  const { apps } = (await ask()) as { apps: { releases: unknown[]; builds: unknown[] }[] }
  if (apps[0].releases.length !== RELEASES || apps[0].builds.length < BUILDS) {
    throw new Error(`whereIs found ${apps[0].releases.length} releases`)
  }
  return async () => median(await timings(ASKED, ask))
}

/** Measures `whereIs` of a commit in a small and in a large history. */
export function measureChanges(): Promise<Row[]> {
  return Stand.use('sqlite', (first) =>
    Stand.use('sqlite', async (second) => {
      const few = await makeHistory(first, FEW)
      const many = await makeHistory(second, MANY)
      const figures = await inTurn({ few, many })
      return [
        {
          what: `whereIs of a commit among ${fixed(MANY)} of ${RELEASES} releases`,
          service: reported(figures.many, 'ms', 1),
          beside: `${fixed(FEW)}: ${reported(figures.few, 'ms', 1)}`,
          ratio: ratio(figures.many, figures.few),
          aim: 'at most 1.5',
        },
      ]
    })
  )
}
