import { change, of, select } from '#foundation/core/database/statement'
import { storedRow, type RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { findIntegration } from '#integrations/queries/app_integrations'
import { codePulls } from '../tables.js'

const SEEN = select(
  of(codePulls, 'p'),
  `from code_pulls p where p.organization_id = :org and p.app_id = :appId
    and p.number in json(:numbers) order by p.seen_at`
)
const STORE = change(
  `insert into code_pulls (organization_id, app_id, integration_id, number, title, status, url,
    author, base, merged_at, seen_at)
  values (:org, :app_id, :integration_id, :number, :title, :status, :url, :author, :base,
    :merged_at, :seen_at)
  on conflict (app_id, integration_id, number) do update set title = excluded.title,
    status = excluded.status, url = excluded.url, author = excluded.author, base = excluded.base,
    merged_at = excluded.merged_at, seen_at = excluded.seen_at`
)

type Row = RowOf<typeof codePulls>

/** A pull request as its host told of it. */
export type ToldPull = Omit<
  Row,
  'organizationId' | 'appId' | 'integrationId' | 'seenAt' | 'number'
> & {
  number: number
}
export type SeenPull = ToldPull & Pick<Row, 'integrationId' | 'seenAt'>

/**
 * Pull requests of an app as they were last seen, by number. Of those that another repository host
 * told before it was exchanged nothing is known; an app that has none any more keeps what was told.
 */
export async function seenPulls(
  scope: Scope,
  appId: string,
  numbers: Iterable<number>
): Promise<Map<number, SeenPull>> {
  const wanted = JSON.stringify([...new Set(numbers)].map(String))
  if (wanted === '[]') return new Map()
  const home = await findIntegration(scope, appId, 'versionControl')
  const rows = await scope.rows(SEEN, { appId, numbers: wanted })
  const own = rows.filter(({ integrationId }) => home === null || integrationId === home.id)
  return new Map(own.map((row) => [Number(row.number), { ...row, number: Number(row.number) }]))
}

/** Keeps what a host told of pull requests. @returns whether anything differs */
export async function keepPulls(
  scope: Scope,
  place: { appId: string; integrationId: string },
  told: readonly ToldPull[]
): Promise<boolean> {
  const known = await seenPulls(
    scope,
    place.appId,
    told.map(({ number }) => number)
  )
  let hasChanged = false
  for (const pull of told) {
    const before = known.get(pull.number)
    const isSame = before?.integrationId === place.integrationId && isAlike(before, pull)
    // That a host knows none is good for a day, and is told anew then.
    if (isSame && pull.status !== null) continue
    if (!isSame) hasChanged = true
    const row = { ...place, ...pull, number: String(pull.number), seenAt: scope.now }
    await scope.change(STORE, storedRow(codePulls, row))
  }
  return hasChanged
}

const isAlike = (one: ToldPull, other: ToldPull) =>
  (Object.keys(other) as (keyof ToldPull)[]).every((name) => one[name] === other[name])
