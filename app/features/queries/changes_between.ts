import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag, optional, text } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { PageRequest } from '#foundation/api/pages'
import { publicReleaseId } from '#releases/public_release_id'
import { BOUND_VERSION, newestFirst, versionOf } from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { compareVersions, parseVersion } from '#workflow/version'
import { textKeyOf } from '../code/standing.js'
import { featureItems, releaseCommits, type ShownCommit, type ShownPull } from '../tables.js'
import { MAX_CODE } from '../vocabulary.js'
import type { ChangesQuery } from '../validators/features_input.js'

const COLUMNS = {
  ...of(releases, 'r', ['id', 'version', 'versionMajor', 'versionMinor', 'versionPatch']),
  createType: as(text(), 'r.create_type'),
  isKickedOff: as(flag(), 'case when r.kicked_off_at is null then 0 else 1 end'),
}
const OF_APP = `from releases r where r.organization_id = :org and r.app_id = :appId
    and r.status <> 'skipped'`
const NEWEST = select(
  COLUMNS,
  `${OF_APP} and r.create_type <> 'rollback' ${newestFirst('r')} limit 1`
)
const AT = select(COLUMNS, `${OF_APP} and ${versionOf('r')} = ${BOUND_VERSION}`)
const RELEASED_BELOW = select(
  COLUMNS,
  `${OF_APP} and r.create_type <> 'rollback' and r.released_at is not null
    and ${versionOf('r')} < ${BOUND_VERSION} ${newestFirst('r')} limit 1`
)
/** Plain releases that one may have come after. */
const BETWEEN = select(
  COLUMNS,
  `${OF_APP} and r.create_type = 'release' and ${versionOf('r')} < ${BOUND_VERSION}
    and ${versionOf('r')} > (:fromMajor, :fromMinor, :fromPatch) ${newestFirst('r')} limit 1000`
)
const OWN = select(
  {
    ...of(releaseCommits, 'c', ['hash', 'pickedFrom']),
    textKey: as(optional(text()), 'c.text_key'),
  },
  `from release_commits c where c.organization_id = :org and c.release_id = :releaseId
    and c.side = 'release'`
)
const ITEMS = select(
  of(featureItems, 'i', ['id', 'itemKey', 'ticket', 'code', 'codeStatus', 'codeType']),
  `from feature_items i where i.organization_id = :org and i.release_id = :releaseId
    and i.is_gone = false and i.code_status in ('merged', 'inRelease', 'released')
  order by i.item_key`
)

type ReleaseOf = RowOfSelect<typeof NEWEST>
type Item = RowOfSelect<typeof ITEMS>

/** A work item that a version has and an earlier one has not. */
export interface Change extends Omit<Item, 'code'> {
  code: (ShownCommit | ShownPull)[]
  /** The release that brought it first. */
  release: ReleaseOf
}

/** What cursors go by. */
export const changeKeys = ({ release, itemKey }: Change) => [...partsOf(release), itemKey]

const partsOf = ({ versionMajor, versionMinor, versionPatch }: ReleaseOf) => [
  versionMajor,
  versionMinor,
  versionPatch,
]

/** A change as the API shows it. */
export function changeEntity(appId: string, { release, ...item }: Change) {
  const { id, ticket, code, codeStatus, codeType } = item
  return {
    releaseId: publicReleaseId({ appId, version: release.version }),
    version: release.version,
    workItem: { id, ticket, code, codeStatus, codeType },
  }
}

/**
 * What is new between two versions of an app, those of the newest first: the work items of the
 * later release, and of plain ones before it, without code that the earlier version has too.
 * @throws not_found, invalid_input
 */
export async function changesBetween(
  scope: Scope,
  appId: string,
  query: ChangesQuery,
  { limit, after }: PageRequest
): Promise<Change[]> {
  const to = query.to === undefined ? await newest(scope, appId) : await at(scope, appId, query.to)
  if (!to) return []
  const from =
    query.from === undefined
      ? await releasedBelow(scope, appId, to)
      : await at(scope, appId, query.from)
  if (from && compareVersions(versionIn(from), versionIn(to)) >= 0) {
    const message = 'It has to be a lower version than `to`.'
    throw refuse('invalid_input', { errors: [{ parameter: 'from', code: 'order', message }] })
  }
  const all = await collect(scope, appId, from, to)
  const begin = after ? all.findIndex((each) => isBehind(changeKeys(each), after)) : 0
  return begin < 0 ? [] : all.slice(begin, begin + limit)
}

/** Newest versions first, then by what the items are of. */
function isBehind(keys: readonly (string | number)[], after: readonly (string | number)[]) {
  const index = keys.findIndex((each, place) => each !== after[place])
  if (index < 0) return false
  return index < 3 ? keys[index] < after[index] : keys[index] > after[index]
}

async function collect(
  scope: Scope,
  appId: string,
  from: ReleaseOf | null,
  to: ReleaseOf
): Promise<Change[]> {
  const below = from ? versionIn(from) : { major: -1, minor: 0, patch: 0 }
  const between = await scope.rows(BETWEEN, {
    ...{ appId, ...versionIn(to) },
    ...{ fromMajor: below.major, fromMinor: below.minor, fromPatch: below.patch },
  })
  const isHad = from ? await hadBy(scope, from.id) : () => false
  const changes = new Map<string, Change>()
  for (const release of [to, ...between]) {
    for (const item of await scope.rows(ITEMS, { releaseId: release.id })) {
      const code = item.code.filter((each) => isInside(release, each) && !isHad(each))
      if (!code.some(({ type }) => type === 'commit') && !isPullAlone(item)) continue
      const later = changes.get(item.itemKey)
      // What it has come to is told by the newest; where it began by the oldest.
      const { code: more = [], ...told } = later ?? {}
      changes.set(item.itemKey, {
        ...item,
        ...told,
        code: [...more, ...code].slice(0, MAX_CODE),
        release,
      })
    }
  }
  return [...changes.values()].sort((one, other) =>
    isBehind(changeKeys(one), changeKeys(other)) ? 1 : -1
  )
}

/** Before kickoff a release has what its working branch has. */
const isInside = ({ isKickedOff }: ReleaseOf, each: ShownCommit | ShownPull) =>
  each.type === 'commit' ? each.inRelease || !isKickedOff : each.status === 'merged'

const isPullAlone = ({ code }: Item) => code.every(({ type }) => type === 'pullRequest')

/** Tells what a release has by itself: as it is, or under another hash. */
async function hadBy(scope: Scope, releaseId: string) {
  const own = await scope.rows(OWN, { releaseId })
  const hashes = new Set(own.flatMap(({ hash, pickedFrom }) => [hash, ...pickedFrom]))
  const texts = new Set(own.map(({ textKey }) => textKey))
  return (each: ShownCommit | ShownPull): boolean =>
    each.type === 'commit' &&
    (hashes.has(each.hash) ||
      texts.has(textKeyOf({ author: each.author ?? '', message: each.message ?? '' })))
}

const versionIn = ({
  versionMajor: major,
  versionMinor: minor,
  versionPatch: patch,
}: ReleaseOf) => ({
  ...{ major, minor, patch },
})

async function newest(scope: Scope, appId: string): Promise<ReleaseOf | null> {
  const [found] = await scope.rows(NEWEST, { appId })
  return found ?? null
}

async function releasedBelow(scope: Scope, appId: string, to: ReleaseOf) {
  const [found] = await scope.rows(RELEASED_BELOW, { appId, ...versionIn(to) })
  return found ?? null
}

/** @throws not_found */
async function at(scope: Scope, appId: string, version: string): Promise<ReleaseOf> {
  const [found] = await scope.rows(AT, { appId, ...parseVersion(version)! })
  if (!found) throw refuse('not_found', { detail: `The app has no release ${version}.` })
  return found
}
