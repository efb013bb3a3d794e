import { recordAppEvent } from '#apps/record_app_event'
import { change, of, select } from '#foundation/core/database/statement'
import { storedRow } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { groupsOf } from '#organizations/queries/people'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { changeApprovals, type ChangeRule } from '../tables.js'
import type { ChangeKind } from '../vocabulary.js'

/** A rule as the configuration file writes it: with the names of groups. */
export interface ConfiguredRule {
  change: ChangeKind
  groups: string[]
}

const SELECT_BY_APP = select(
  of(changeApprovals, 'c', ['rules']),
  'from change_approvals c where c.organization_id = :org and c.app_id = :appId'
)
const NAMING = select(
  of(changeApprovals, 'c', ['appId', 'rules']),
  'from change_approvals c where c.organization_id = :org and c.rules like :naming'
)
const STORE = change(
  `insert into change_approvals (app_id, organization_id, rules, updated_at)
  values (:app_id, :org, :rules, :updated_at)
  on conflict (app_id) do update set rules = excluded.rules, updated_at = excluded.updated_at`
)

/** Returns the kinds of change of an app that need an approval. */
export async function changeRules(scope: Scope, appId: string): Promise<ChangeRule[]> {
  const [row] = await scope.rows(SELECT_BY_APP, { appId })
  return row?.rules ?? []
}

/** Prefetches the rules of an app. */
export const prefetchRules = (scope: Scope, appId: string) =>
  scope.prefetch(SELECT_BY_APP, { appId })

/** Returns the groups that some rules name, by id. */
export const groupsOfRules = (scope: Scope, rules: readonly ChangeRule[]) =>
  groupsOf(scope, [...new Set(rules.flatMap(({ groupIds }) => groupIds))])

/** Returns the rules of an app as the configuration file writes them. */
export const configuredRules = async (scope: Scope, appId: string): Promise<ConfiguredRule[]> =>
  configuredOf(scope, await changeRules(scope, appId))

async function configuredOf(scope: Scope, rules: readonly ChangeRule[]): Promise<ConfiguredRule[]> {
  const groups = await groupsOfRules(scope, rules)
  return rules.map(({ change: kind, groupIds }) => ({
    change: kind,
    groups: groupIds.flatMap((id) => groups.get(id)?.name ?? []),
  }))
}

/** Stores the rules of an app and re-evaluates its open releases. */
export async function storeConfiguredRules(
  scope: Scope,
  appId: string,
  wanted: readonly ConfiguredRule[]
): Promise<void> {
  const kept = await changeRules(scope, appId)
  const before = await configuredOf(scope, kept)
  if (JSON.stringify(before) === JSON.stringify(wanted)) return
  const rows: { id: string; name: string }[] = await scope.table('groups').select('id', 'name')
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  const rules = wanted.map(({ change: kind, groups }) => {
    const rule = { change: kind, groupIds: groups.flatMap((name) => ids.get(name) ?? []) }
    // An unchanged rule keeps its key, so that its items are found again.
    const key = kept.find((each) => contentKey(each) === contentKey(rule))?.key ?? contentKey(rule)
    return { key, ...rule }
  })
  await store(scope, appId, rules)
  recordAppEvent(scope, appId, {
    type: 'app.changeApprovalsChanged',
    title: 'The build changes that need an approval were changed',
    data: { from: before, to: wanted },
  })
}

/**
 * Removes a deleted group from the rules that name it. A rule without groups remains: everybody who
 * may approve can then give its approval. Rules that become equal are merged.
 */
export async function removeGroup(scope: Scope, groupId: string): Promise<void> {
  for (const { appId, rules } of await scope.rows(NAMING, { naming: `%${groupId}%` })) {
    const remaining = rules.map((rule) => ({
      ...rule,
      groupIds: rule.groupIds.filter((id) => id !== groupId),
    }))
    const isFirst = (rule: ChangeRule, at: number) =>
      remaining.findIndex((each) => contentKey(each) === contentKey(rule)) === at
    await store(scope, appId, remaining.filter(isFirst))
  }
}

const contentKey = ({ change: kind, groupIds }: Omit<ChangeRule, 'key'>) =>
  `${kind} ${groupIds.toSorted().join(' ')}`

async function store(scope: Scope, appId: string, rules: ChangeRule[]): Promise<void> {
  await scope.change(STORE, storedRow(changeApprovals, { appId, rules, updatedAt: scope.now }))
  await touchReleases(scope, appId)
}

/** Has the builds of open releases compared again, if the app has rules. */
export async function compareAnew(scope: Scope, appId: string): Promise<void> {
  if ((await changeRules(scope, appId)).length > 0) await touchReleases(scope, appId)
}

const touchReleases = (scope: Scope, appId: string) =>
  forEachOpenRelease(scope, appId, async (release) => scope.touch(release))
