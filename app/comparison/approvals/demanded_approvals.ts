import { createHash } from 'node:crypto'
import { MOST_NAMED } from '#checklists/demanded/demand'
import type { DemandedApproval } from '#checklists/demanded/keep_demanded_items'
import type { Scope } from '#foundation/core/scope'
import { groupsOf } from '#organizations/queries/people'
import type { ReleaseRow } from '#releases/queries/read_release'
import { APPROVAL_TITLES, changeText } from '../change_words.js'
import { aspectOf, compareBuilds, type BuildChange, type Comparison } from '../compare.js'
import { chosenBuild, liveRelease, shippedBuild, type Shipped } from '../queries/compared_builds.js'
import type { ChangeRule } from '../tables.js'
import { GROWTH_PERCENT, WHOLE, type ChangeKind } from '../vocabulary.js'
import { changeRules } from './change_rules.js'

/** The build of a release, and that of the version that users have. */
interface Pair {
  build: Shipped
  base: Shipped
  baseVersion: string
}

/** Characters of a change that an item names. */
const LONGEST = 300

/**
 * The approvals that a release needs for what its build changes against the live version, by the
 * rules of its app. What cannot be compared is asked about, too. A first release has nothing to be
 * compared with, and one without a build nothing to compare.
 */
export async function demandedApprovals(
  scope: Scope,
  release: ReleaseRow
): Promise<DemandedApproval[]> {
  const rules = await changeRules(scope, release.appId)
  if (rules.length === 0) return []
  const build = await chosenBuild(scope, release)
  const live = build && (await liveRelease(scope, release.appId, release.id))
  if (!build || !live) return []
  const pair = { build, base: await shippedBuild(scope, live), baseVersion: live.version }
  const groups = await groupsOf(scope, [...new Set(rules.flatMap(({ groupIds }) => groupIds))])
  const nameOf = (id: string) => groups.get(id)?.name ?? id
  return approvalsFor(rules, pair, nameOf)
}

/** The approvals that rules ask for of a build. Pure. */
export function approvalsFor(
  rules: readonly ChangeRule[],
  pair: Pair,
  nameOf: (groupId: string) => string
): DemandedApproval[] {
  const [before, after] = [pair.base.build?.read, pair.build.build?.read]
  const comparison = before && after ? compareBuilds(before, after) : null
  return rules.flatMap((rule) => {
    const found = comparison && changesOf(rule.change, comparison)
    if (found?.length === 0) return []
    const lines = found?.map((each) => cut(changeText(each))) ?? []
    const named = lines.slice(0, MOST_NAMED)
    const omitted = lines.length - named.length
    const why = found ? null : whyUnknown(rule.change, pair)
    const title = `${APPROVAL_TITLES[rule.change]} since ${pair.baseVersion}`
    return {
      title: why === null ? title : `${title}: not known`,
      description: [
        why ?? `${sentence(pair.build.name)} against ${pair.baseVersion} (${pair.base.name}):`,
        ...named.map((line) => `- ${line}`),
        ...(omitted > 0 ? [`- and ${omitted} more`] : []),
      ]
        .join('\n')
        .slice(0, 10_000)
        .toWellFormed(),
      owners: rule.groupIds.map((id) => ({ type: 'group' as const, id, name: nameOf(id) })),
      demand: {
        key: `${rule.change} ${rule.groupIds.toSorted().join(' ')}`,
        rule: rule.change,
        changes: named,
        omitted,
        contentHash: digest(found ?? [why]),
        buildId: pair.build.build?.id ?? null,
        baseBuildId: pair.base.build?.id ?? null,
      },
    }
  })
}

/** The changes of a kind; null where builds could not be compared in it. */
function changesOf(kind: ChangeKind, { changes, notCompared }: Comparison): BuildChange[] | null {
  const aspect = aspectOf(kind)
  if (aspect !== null && notCompared.includes(aspect)) return null
  const found = changes.filter((change) => change.kind === kind)
  return kind === 'sizeGrown' ? found.filter(isMuch) : found
}

function isMuch({ subject, from, to }: BuildChange): boolean {
  const [before, after] = [Number(from), Number(to)]
  return subject === WHOLE && 100 * (after - before) >= GROWTH_PERCENT * before
}

function whyUnknown(kind: ChangeKind, { build, base, baseVersion }: Pair): string {
  const compared = `${sentence(build.name)} was not compared with ${baseVersion}`
  const sides = [
    { name: build.name, found: build.build },
    { name: baseVersion, found: base.build },
  ]
  for (const { name, found } of sides) {
    if (!found) return `${compared}: no bucket has a file of ${name}.`
    if (!found.read) return `${compared}, as of ${name} ${found.why}.`
  }
  return `${compared} in its ${aspectOf(kind)}: they were not read of both, or not whole.`
}

const sentence = (text: string) => text[0].toUpperCase() + text.slice(1)

const cut = (text: string) =>
  text.length > LONGEST ? `${text.slice(0, LONGEST - 1).toWellFormed()}…` : text

const digest = (content: unknown) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex')
