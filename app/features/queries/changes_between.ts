import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag, optional, text } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { PartialRows, PageRequest } from '#foundation/api/pages'
import { publicReleaseId } from '#releases/names/public_release_id'
import {
  BOUND_VERSION,
  newestFirst,
  noRollback,
  onTrain,
  versionOf,
} from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { versionParts } from '#releases/names/version_parts'
import { compareVersions, parseVersion } from '#workflow/version'
import { textKeyOf } from '../code/commit_line.js'
import { questionOf } from './change_holders.js'
import { featureItems, releaseCommits, type ShownCommit, type ShownPull } from '../tables.js'
import { MAX_CODE } from '../vocabulary.js'
import type { ChangesQuery } from '../validators/features_input.js'

const COLUMNS = {
  ...of(releases, 'r', ['id', 'version', 'versionMajor', 'versionMinor', 'versionPatch']),
  createType: as(text(), 'r.create_type'),
  isKickedOff: as(flag(), 'case when r.kicked_off_at is null then 0 else 1 end'),
}
const FROM_RELEASES_OF_APP = `from releases r where r.organization_id = :org and r.app_id = :appId
    and r.status <> 'skipped'`
const NEWEST = select(
  COLUMNS,
  `${FROM_RELEASES_OF_APP} and ${noRollback('r')} ${newestFirst('r')} limit 1`
)
const AT = select(COLUMNS, `${FROM_RELEASES_OF_APP} and ${versionOf('r')} = ${BOUND_VERSION}`)
const RELEASED_BELOW = select(
  COLUMNS,
  `${FROM_RELEASES_OF_APP} and ${noRollback('r')} and r.released_at is not null
    and ${versionOf('r')} < ${BOUND_VERSION} ${newestFirst('r')} limit 1`
)
/** Plain releases between the two versions. */
const BETWEEN = select(
  COLUMNS,
  `${FROM_RELEASES_OF_APP} and ${onTrain('r')} and ${versionOf('r')} < ${BOUND_VERSION}
    and ${versionOf('r')} > (:fromMajor, :fromMinor, :fromPatch) ${newestFirst('r')} limit 1000`
)
const ITEM = {
  ...of(featureItems, 'i', ['id', 'itemKey', 'ticket', 'code', 'codeStatus', 'codeType']),
  releaseId: as(text(), 'i.release_id'),
}
const IS_IN = `i.is_gone = false and i.code_status in ('merged', 'inRelease', 'released')`
const ITEMS = select(
  ITEM,
  `from feature_items i where i.organization_id = :org and i.release_id = :releaseId
    and ${IS_IN} and i.item_key > :behind order by i.item_key limit :limit`
)
/** The rows of the same items in several releases. */
const REPORTED = select(
  ITEM,
  `from feature_items i where i.organization_id = :org and i.app_id = :appId
    and ${IS_IN} and i.item_key in json(:keys) and i.release_id in json(:releases)`
)
const OWN = `from release_commits c where c.organization_id = :org and c.app_id = :appId
    and c.release_id = :releaseId and c.side = 'release'`
/**
 * Commits of a release that are equal to one of the given commits, by hash, origin, text or patch.
 */
const OWN_BY_HASH = select(of(releaseCommits, 'c', ['hash']), `${OWN} and c.hash in json(:hashes)`)
const OWN_BY_ORIGIN = select(
  of(releaseCommits, 'c', ['hash', 'pickedFrom']),
  `${OWN} and c.origin in json(:hashes)`
)
const OWN_BY_TEXT = select(
  { ...of(releaseCommits, 'c', ['hash']), textKey: as(optional(text()), 'c.text_key') },
  `${OWN} and c.text_key in json(:texts)`
)
/** The given commits with the patch of a commit of the release, and that commit. */
const HAD_BY_PATCH = select(
  { same: as(text(), 'c.hash'), hash: as(text(), 'o.hash') },
  `from release_commits c join release_commits o
    on o.app_id = c.app_id and o.patch_id = c.patch_id
  where c.organization_id = :org and c.app_id = :appId and c.hash in json(:hashes)
    and o.release_id = :releaseId and o.side = 'release'`
)

/** Most items that are read for a page, however few of them are new. */
const MAX_LOOKED_AT = 2000

type ReleaseOf = RowOfSelect<typeof NEWEST>
type Item = RowOfSelect<typeof ITEMS>

/** A work item that a version has and an earlier one lacks. */
export interface Change extends Omit<Item, 'code' | 'releaseId'> {
  code: (ShownCommit | ShownPull)[]
  /** The release that brought it first. */
  release: ReleaseOf
}

/** Returns the sort keys of a change. */
export const changeKeys = ({ release, itemKey }: Change) => [...partsOf(release), itemKey]

const partsOf = ({ versionMajor, versionMinor, versionPatch }: ReleaseOf) => [
  versionMajor,
  versionMinor,
  versionPatch,
]

/** Returns a change as the API shows it. */
export function changeEntity(appId: string, { release, ...item }: Change) {
  const { id, ticket, code, codeStatus, codeType } = item
  return {
    releaseId: publicReleaseId({ appId, version: release.version }),
    version: release.version,
    workItem: { id, ticket, code, codeStatus, codeType },
  }
}

/**
 * Returns what is new between two versions of an app, newest first: the work items of the later
 * release and of plain releases before it, without code that the earlier version has.
 * @throws not_found, invalid_input
 */
export async function changesBetween(
  scope: Scope,
  appId: string,
  query: ChangesQuery,
  request: PageRequest
): Promise<PartialRows<Change>> {
  const to = query.to === undefined ? await newest(scope, appId) : await at(scope, appId, query.to)
  if (!to) return { rows: [], nextKeys: null }
  const from =
    query.from === undefined
      ? await releasedBelow(scope, appId, to)
      : await at(scope, appId, query.from)
  if (from && compareVersions(versionParts(from), versionParts(to)) >= 0) {
    const message = 'It has to be a lower version than `to`.'
    throw refuse('invalid_input', { errors: [{ parameter: 'from', code: 'order', message }] })
  }
  const below = from ? versionParts(from) : { major: -1, minor: 0, patch: 0 }
  const between = await scope.rows(BETWEEN, {
    appId,
    ...versionParts(to),
    fromMajor: below.major,
    fromMinor: below.minor,
    fromPatch: below.patch,
  })
  return collect(scope, { appId, from, releases: [to, ...between] }, request)
}

interface Compared {
  appId: string
  from: ReleaseOf | null
  /** The newest first. */
  releases: readonly ReleaseOf[]
}

/**
 * Reads items release by release until there are enough; each item appears in the release where it
 * began.
 */
async function collect(
  scope: Scope,
  compared: Compared,
  { limit, after }: PageRequest
): Promise<PartialRows<Change>> {
  const rows: Change[] = []
  let lookedAt = 0
  for (const release of compared.releases) {
    const place = after === null ? 1 : compareVersions(versionOfKeys(after), versionParts(release))
    if (place < 0) continue
    let behind = place === 0 ? String(after!.at(-1)) : ''
    for (;;) {
      if (rows.length >= limit) return { rows: rows.slice(0, limit), nextKeys: null }
      if (lookedAt >= MAX_LOOKED_AT) return { rows, nextKeys: [...partsOf(release), behind] }
      const items = await scope.rows(ITEMS, { releaseId: release.id, behind, limit })
      rows.push(...(await begunIn(scope, compared, release, items)))
      lookedAt += items.length
      if (items.length < limit) break
      behind = items.at(-1)!.itemKey
    }
  }
  return { rows: rows.slice(0, limit), nextKeys: null }
}

/** Returns those of the given items that began in a release, with their code of all releases. */
async function begunIn(
  scope: Scope,
  { appId, from, releases: all }: Compared,
  release: ReleaseOf,
  items: readonly Item[]
): Promise<Change[]> {
  if (items.length === 0) return []
  const reported = await scope.rows(REPORTED, {
    appId,
    keys: JSON.stringify(items.map(({ itemKey }) => itemKey)),
    releases: JSON.stringify(all.map(({ id }) => id)),
  })
  const byKey = new Map<string, Item[]>()
  for (const each of reported) byKey.set(each.itemKey, [...(byKey.get(each.itemKey) ?? []), each])
  const isNewIn = await newBetween(scope, { appId, from, releases: all }, reported)
  const placeOf = new Map(all.map(({ id }, place) => [id, place]))
  return items.flatMap(({ itemKey }) => {
    const kept = byKey
      .get(itemKey)!
      .sort((one, other) => placeOf.get(one.releaseId)! - placeOf.get(other.releaseId)!)
      .flatMap((item) => {
        const bringer = all[placeOf.get(item.releaseId)!]
        const code = item.code.filter((each) => isInside(bringer, each) && isNewIn(each))
        const isNew = code.some(({ type }) => type === 'commit') || isPullAlone(item)
        return isNew ? [{ ...item, code }] : []
      })
    if (kept.at(-1)?.releaseId !== release.id) return []
    // The newest decides its state; the oldest decides where it began.
    const code = kept.flatMap((each) => each.code).slice(0, MAX_CODE)
    return [{ ...kept[0], code, release }]
  })
}

/** Before its kickoff, a release contains what its working branch contains. */
const isInside = ({ isKickedOff }: ReleaseOf, each: ShownCommit | ShownPull) =>
  each.type === 'commit' ? each.inRelease || !isKickedOff : each.status === 'merged'

const isPullAlone = ({ code }: Item) => code.every(({ type }) => type === 'pullRequest')

/**
 * Returns a test for code that the later version has, and that the earlier one has under no hash.
 */
async function newBetween(scope: Scope, compared: Compared, items: readonly Item[]) {
  const { appId, from, releases: all } = compared
  const commits = items
    .flatMap(({ code }) => code)
    .filter((each): each is ShownCommit => each.type === 'commit')
  if (commits.length === 0) return () => true
  const hashes = commits.map(({ hash }) => hash)
  const own = from ? await ownAmong(scope, appId, from.id, commits) : new Map<string, string[]>()
  const ids = [...(from ? [from.id] : []), ...all.map(({ id }) => id)]
  const question = await questionOf(scope, appId, ids, [...hashes, ...own.keys()])
  const had = new Set<string>()
  const inFrom = from && (await question.standingIn(from.id))
  for (const [hash, names] of own) {
    if (!inFrom || inFrom.has(hash)) for (const name of names) had.add(name)
  }
  const inTo = await question.standingIn(all[0].id)
  // The later version may contain the original of a cherry-pick instead of the pick.
  const texts = new Set(commits.flatMap((each) => (inTo?.has(each.hash) ? keyOf(each) : [])))
  return (each: ShownCommit | ShownPull): boolean =>
    each.type !== 'commit' ||
    (!had.has(each.hash) &&
      !had.has(keyOf(each)) &&
      (inTo === null || inTo.has(each.hash) || texts.has(keyOf(each))))
}

/**
 * Returns the commits of a release that are equal to one of the given commits, each with the hashes
 * and text keys of those.
 */
async function ownAmong(
  scope: Scope,
  appId: string,
  releaseId: string,
  commits: readonly ShownCommit[]
): Promise<Map<string, string[]>> {
  const place = { appId, releaseId }
  const hashes = JSON.stringify(commits.map(({ hash }) => hash))
  const texts = JSON.stringify(commits.map(keyOf))
  const own = new Map<string, string[]>()
  const add = (hash: string, names: readonly string[]) =>
    own.set(hash, [...(own.get(hash) ?? []), ...names])
  for (const { hash } of await scope.rows(OWN_BY_HASH, { ...place, hashes })) add(hash, [hash])
  for (const each of await scope.rows(OWN_BY_ORIGIN, { ...place, hashes })) {
    add(each.hash, each.pickedFrom)
  }
  for (const { hash, same } of await scope.rows(HAD_BY_PATCH, { ...place, hashes })) {
    add(hash, [same])
  }
  for (const { hash, textKey } of await scope.rows(OWN_BY_TEXT, { ...place, texts })) {
    if (textKey !== null) add(hash, [textKey])
  }
  return own
}

const keyOf = ({ author, message }: ShownCommit) =>
  textKeyOf({ author: author ?? '', message: message ?? '' })

const versionOfKeys = ([major, minor, patch]: readonly (string | number)[]) => ({
  major: Number(major),
  minor: Number(minor),
  patch: Number(patch),
})

async function newest(scope: Scope, appId: string): Promise<ReleaseOf | null> {
  const [found] = await scope.rows(NEWEST, { appId })
  return found ?? null
}

async function releasedBelow(scope: Scope, appId: string, to: ReleaseOf) {
  const [found] = await scope.rows(RELEASED_BELOW, { appId, ...versionParts(to) })
  return found ?? null
}

/** @throws not_found */
async function at(scope: Scope, appId: string, version: string): Promise<ReleaseOf> {
  const [found] = await scope.rows(AT, { appId, ...parseVersion(version)! })
  if (!found) throw refuse('not_found', { detail: `The app has no release ${version}.` })
  return found
}
