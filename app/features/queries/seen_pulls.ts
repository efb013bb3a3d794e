import { change, of, select, variants } from '#foundation/core/database/statement'
import { storedRow, type RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { codePulls } from '../tables.js'

const SEEN = select(
  of(codePulls, 'p'),
  `from code_pulls p where p.organization_id = :org and p.app_id = :appId
    and p.number in json(:numbers)`
)
const seenWith = variants(SEEN, 'order by p.seen_at')
const STORE = change(
  `insert into code_pulls (organization_id, app_id, repository, number, title, status, url,
    author, base, merged_at, seen_at)
  values (:org, :app_id, :repository, :number, :title, :status, :url, :author, :base,
    :merged_at, :seen_at)
  on conflict (app_id, repository, number) do update set title = excluded.title,
    status = excluded.status, url = excluded.url, author = excluded.author, base = excluded.base,
    merged_at = excluded.merged_at, seen_at = excluded.seen_at`
)

type Row = RowOf<typeof codePulls>

/** A pull request as its host reported it. */
export type ReportedPull = Omit<
  Row,
  'organizationId' | 'appId' | 'repository' | 'seenAt' | 'number'
> & {
  number: number
}
export type SeenPull = ReportedPull & Pick<Row, 'repository' | 'seenAt'>

/** An app and a repository (`repositoryOf`). */
interface Place<Repository> {
  appId: string
  repository: Repository
}

/**
 * Returns the pull requests of a repository as they were last observed, by number. Other
 * repositories have other pull requests of the same numbers; if the repository is not known (null),
 * the one observed last is returned.
 */
export async function seenPulls(
  scope: Scope,
  { appId, repository }: Place<string | null>,
  numbers: Iterable<number>
): Promise<Map<number, SeenPull>> {
  const wanted = JSON.stringify([...new Set(numbers)].map(String))
  if (wanted === '[]') return new Map()
  const bound = { appId, numbers: wanted }
  const rows =
    repository === null
      ? await scope.rows(seenWith(''), bound)
      : await scope.rows(seenWith('and p.repository = :repository'), { ...bound, repository })
  return new Map(rows.map((row) => [Number(row.number), { ...row, number: Number(row.number) }]))
}

/** Stores reported pull requests. @returns whether anything differs */
export async function storePulls(
  scope: Scope,
  place: Place<string>,
  reported: readonly ReportedPull[]
): Promise<boolean> {
  const numbers = reported.map(({ number }) => number)
  const known = await seenPulls(scope, place, numbers)
  const { appId, repository } = place
  let hasChanged = false
  for (const pull of reported) {
    const before = known.get(pull.number)
    const isSame = before !== undefined && isAlike(before, pull)
    // The answer that a host knows none is valid for a day, so it is stored again.
    if (isSame && pull.status !== null) continue
    if (!isSame) hasChanged = true
    const row = { appId, repository, ...pull, number: String(pull.number), seenAt: scope.now }
    await scope.change(STORE, storedRow(codePulls, row))
  }
  return hasChanged
}

const isAlike = (one: ReportedPull, other: ReportedPull) =>
  (Object.keys(other) as (keyof ReportedPull)[]).every((name) => one[name] === other[name])
