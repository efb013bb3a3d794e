import { createHash } from 'node:crypto'
import { MAX_NAMED } from '#checklists/demanded/demand'
import type { DemandedApproval } from '#checklists/demanded/store_required_items'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseRow } from '#releases/queries/read_release'
import { APPROVAL_TITLES, changeText } from '../change_words.js'
import { aspectOf, compareBuilds, type BuildChange, type Comparison } from '../compare.js'
import { comparedPairs, liveRelease, shippedBuild, type Pair } from '../queries/compared_builds.js'
import type { ChangeRule } from '../tables.js'
import { ASPECT_WORDS, GROWTH_PERCENT, WHOLE, type ChangeKind } from '../vocabulary.js'
import { groupsOfRules } from './change_rules.js'

/** The maximum length of one change in an item. */
const MAX_CHANGE_LENGTH = 300

/**
 * Returns the approvals that a release needs because its builds differ from the live version, by the
 * rules of its app. Builds that cannot be compared need them, too. A first release needs none, as
 * there is nothing to compare it with.
 * @param isBuildDue whether a release that has no build yet needs them, too
 */
export async function demandedApprovals(
  scope: Scope,
  release: ReleaseRow,
  rules: readonly ChangeRule[],
  isBuildDue: boolean
): Promise<DemandedApproval[]> {
  if (rules.length === 0) return []
  const live = await liveRelease(scope, release.appId, release)
  if (!live) return []
  const pairs = await comparedPairs(scope, release, live)
  if (pairs.length === 0 && isBuildDue && release.createType !== 'rollback') {
    const build = { name: release.version, build: null }
    pairs.push({ build, base: await shippedBuild(scope, live), baseVersion: live.version })
  }
  const groups = await groupsOfRules(scope, rules)
  const nameOf = (id: string) => groups.get(id)?.name ?? id
  return approvalsFor(rules, pairs, nameOf)
}

/** Returns the approvals that rules demand for builds: at most one per rule, for all stores. Pure. */
export function approvalsFor(
  rules: readonly ChangeRule[],
  pairs: readonly Pair[],
  nameOf: (groupId: string) => string
): DemandedApproval[] {
  const compared = pairs.map((pair) => {
    const [before, after] = [pair.base.build?.read, pair.build.build?.read]
    return { pair, comparison: before && after ? compareBuilds(before, after) : null }
  })
  return rules.flatMap((rule) => {
    const findings = compared
      .map(({ pair, comparison }) => findingOf(rule.change, pair, comparison))
      .filter(({ found }) => found === null || found.length > 0)
    if (findings.length === 0) return []
    const [{ pair }] = findings
    const lines = [...new Set(findings.flatMap((each) => each.lines))]
    const named = lines.slice(0, MAX_NAMED)
    const title = `${APPROVAL_TITLES[rule.change]} since ${pair.baseVersion}`
    return {
      title: findings.some(({ found }) => found === null) ? `${title}: not known` : title,
      description: [...new Set(findings.map(demandText))]
        .join('\n')
        .slice(0, 10_000)
        .toWellFormed(),
      owners: rule.groupIds.map((id) => ({ type: 'group' as const, id, name: nameOf(id) })),
      demand: {
        key: rule.key,
        compared: [pair.baseVersion, ...pairs.map(({ build }) => build.build?.id)].join(' '),
        rule: rule.change,
        changes: named,
        omitted: lines.length - named.length,
        contentHash: digest([...new Set(findings.flatMap(contentOf))].sort()),
        buildId: pair.build.build?.id ?? null,
        baseBuildId: pair.base.build?.id ?? null,
      },
    }
  })
}

/**
 * Returns the changes of a kind in one build, with their texts; null, with the reason, if unknown.
 */
function findingOf(kind: ChangeKind, pair: Pair, comparison: Comparison | null) {
  const found = comparison && changesOf(kind, comparison)
  const lines = found?.map((each) => cut(changeText(each))) ?? []
  return { pair, found, lines, why: found ? null : whyUnknown(kind, pair) }
}

function demandText({
  pair: { build, base, baseVersion },
  lines,
  why,
}: ReturnType<typeof findingOf>) {
  const omitted = lines.length - MAX_NAMED
  return [
    why ?? `${sentence(build.name)} against ${baseVersion} (${base.name}):`,
    ...lines.slice(0, MAX_NAMED).map((line) => `- ${line}`),
    ...(omitted > 0 ? [`- and ${omitted} more`] : []),
  ].join('\n')
}

const contentOf = ({ found, why }: ReturnType<typeof findingOf>) =>
  found ? found.map((each) => JSON.stringify(each)) : [why]

/** Returns the changes of a kind; null if builds could not be compared in it. */
function changesOf(kind: ChangeKind, { changes, notCompared }: Comparison): BuildChange[] | null {
  const aspect = aspectOf(kind)
  if (aspect !== null && notCompared.includes(aspect)) return null
  const found = changes.filter((change) => change.kind === kind)
  return kind === 'sizeGrown' || kind === 'sizeShrunk' ? found.filter(isMuch) : found
}

function isMuch({ subject, from, to }: BuildChange): boolean {
  const [before, after] = [Number(from), Number(to)]
  return subject === WHOLE && 100 * Math.abs(after - before) >= GROWTH_PERCENT * before
}

/** The reason why two builds that were both read are not compared in an aspect. */
const NOT_READ = 'not read in full from both files, or the files are of different kinds'

function whyUnknown(kind: ChangeKind, { build, base, baseVersion }: Pair): string {
  const compared = `${sentence(build.name)} was not compared with ${baseVersion}`
  const sides = [
    { name: build.name, found: build.build },
    { name: baseVersion, found: base.build },
  ]
  for (const { name, found } of sides) {
    if (!found) return `${compared}: no bucket has a file of ${name}.`
    if (!found.read) return `${compared}. Of ${name}, ${found.why}.`
  }
  const aspect = aspectOf(kind)
  const words = aspect ? ASPECT_WORDS[aspect] : 'everything'
  return `${compared} in ${words}: ${NOT_READ}.`
}

const sentence = (text: string) => text[0].toUpperCase() + text.slice(1)

const cut = (text: string) =>
  text.length > MAX_CHANGE_LENGTH ? `${text.slice(0, MAX_CHANGE_LENGTH - 1).toWellFormed()}…` : text

const digest = (content: unknown) =>
  createHash('sha256').update(JSON.stringify(content)).digest('hex')
