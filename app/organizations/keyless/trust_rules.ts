import app from '@adonisjs/core/services/app'
import { OutboundRefused } from '#outbound-client/guard'
import { of, select, variants, type RowOfSelect } from '#foundation/core/database/statement'
import { storedMembers } from '#foundation/core/database/table'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAudit } from '../audit.js'
import { checkGroupIds, knownApps } from '../queries/find_scopes.js'
import type { ListedTrustRuleEntity, TrustRuleEntity } from './entities.js'
import { trustRules } from './tables.js'
import type { TrustRuleInput } from './validators.js'

const rulesWith = variants(
  select(of(trustRules, 't'), 'from trust_rules t where t.organization_id = :org'),
  ''
)
const ALL = rulesWith('order by t.created_at, t.id')
const ONE = rulesWith('and t.id = :id')

type Rule = RowOfSelect<typeof ALL>

/** The maximum number of rules of an organization. */
const MAX_RULES = 500

/** Returns the rules of the organization, oldest first. */
export async function listTrustRules(scope: Scope): Promise<ListedTrustRuleEntity[]> {
  return entitiesOf(scope, await scope.rows(ALL))
}

/** @throws not_found */
export async function getTrustRule(scope: Scope, id: string): Promise<TrustRuleEntity> {
  const [{ lastUsedAt: _, ...entity }] = await entitiesOf(scope, [await findRule(scope, id)])
  return entity
}

async function findRule(scope: Scope, id: string): Promise<Rule> {
  const [rule] = await scope.rows(ONE, { id })
  if (!rule) throw refuse('not_found')
  return rule
}

async function entitiesOf(scope: Scope, rules: readonly Rule[]): Promise<ListedTrustRuleEntity[]> {
  const ids = rules.flatMap(({ groupIds }) => groupIds)
  const groups: { id: string; name: string }[] = await scope
    .table('groups')
    .whereIn('id', ids)
    .orderBy('name')
    .select('id', 'name')
  return rules.map(({ organizationId: _, groupIds, updatedAt: __, ...rule }) => ({
    ...rule,
    groups: groups.filter(({ id }) => groupIds.includes(id)),
  }))
}

/** Creates a rule. @throws invalid_input, too_many_trust_rules */
export async function makeTrustRule(scope: Scope, input: TrustRuleInput): Promise<TrustRuleEntity> {
  await requireValid(scope, input)
  const { length } = await scope.rows(ALL)
  if (length >= MAX_RULES) {
    throw refuse('too_many_trust_rules', {
      detail: `An organization has at most ${MAX_RULES} rules.`,
    })
  }
  const { actor: createdBy, now } = scope
  const rule = { id: newId('trust'), ...membersOf(input), createdBy, createdAt: now }
  await scope.insert(trustRules, [{ ...rule, updatedAt: now, lastUsedAt: null }])
  await recordAudit(scope, {
    action: 'trustRule.created',
    subject: rule.id,
    data: membersOf(input),
  })
  return getTrustRule(scope, rule.id)
}

/** Changes a rule, and revokes the keys that runs got by it. @throws not_found, invalid_input */
export async function changeTrustRule(
  scope: Scope,
  id: string,
  input: TrustRuleInput
): Promise<TrustRuleEntity> {
  await findRule(scope, id)
  await requireValid(scope, input)
  const members = membersOf(input)
  const changed = storedMembers(trustRules, { ...members, updatedAt: scope.now })
  await scope.table('trust_rules').where('id', id).update(changed)
  await revokeKeys(scope, id)
  await recordAudit(scope, { action: 'trustRule.updated', subject: id, data: members })
  return getTrustRule(scope, id)
}

/** Deletes a rule, and revokes the keys that runs got by it. @throws not_found */
export async function deleteTrustRule(scope: Scope, id: string): Promise<void> {
  await findRule(scope, id)
  // A run that is getting a key holds the rule; its key is revoked, too.
  await scope.table('trust_rules').where('id', id).delete()
  await revokeKeys(scope, id)
  await recordAudit(scope, { action: 'trustRule.deleted', subject: id })
}

async function revokeKeys(scope: Scope, trustRuleId: string): Promise<void> {
  await scope
    .table('api_keys')
    .where('trust_rule_id', trustRuleId)
    .whereNull('revoked_at')
    .where('expires_at', '>', scope.now)
    .update({ revoked_at: scope.now })
}

const membersOf = (input: TrustRuleInput) => ({
  ...input,
  audience: input.audience.replace(/(?<=.)\/$/, ''),
  repositoryId: input.repositoryId ?? null,
  environment: input.environment ?? null,
  groupIds: input.groupIds ?? [],
})

async function requireValid(scope: Scope, input: TrustRuleInput): Promise<void> {
  const errors = new InputErrors()
  await checkTrustRule(scope, input, errors)
  errors.throwIfAny()
}

/** Names as on GitHub and GitLab, without wildcards. */
const REPOSITORY = /^[\w.-]+(\/[\w.-]+)+$/
const WORKFLOW = /^(?!\/)[^\s@*]+$/
/** Branches and tags only, as pull and merge requests have other refs. */
const REF = /^refs\/(heads|tags)\/(?:[^\s*~^:?[\\]+\*?|\*)$/

/** Gathers errors of a rule that a valid shape does not exclude. */
export async function checkTrustRule(
  scope: Scope,
  {
    appId,
    issuer,
    repository,
    repositoryId,
    workflow,
    refs,
    groupIds,
  }: PartiallyValid<TrustRuleInput>,
  errors: InputErrors
): Promise<void> {
  const add = (pointer: string, code: string, message: string) =>
    errors.add({ pointer, code, message })
  if (appId !== undefined && !(await knownApps(scope, [appId])).has(appId)) {
    add('/appId', 'unknown_app', `There is no app ${appId}.`)
  }
  await checkGroupIds(scope, groupIds, errors)
  if (issuer !== undefined) {
    const fault = await issuerFault(issuer)
    if (fault) add('/issuer', 'issuer', fault)
  }
  if (repository !== undefined && !REPOSITORY.test(repository)) {
    add('/repository', 'repository', 'A repository is its owner, a slash and its name.')
  }
  if (repositoryId && !/^\d+$/.test(repositoryId)) {
    add('/repositoryId', 'repository_id', 'The number of a repository consists of digits.')
  }
  if (workflow !== undefined && !WORKFLOW.test(workflow)) {
    add(
      '/workflow',
      'workflow',
      'A workflow is the path of its file, such as .github/workflows/release.yml.'
    )
  }
  for (const [index, ref] of (refs ?? []).entries()) {
    if (ref === undefined || REF.test(ref)) continue
    const message = 'A ref is refs/heads/… or refs/tags/…, and may end with a star.'
    add(`/refs/${index}`, 'ref', message)
  }
}

/** Returns the fault of an issuer's address, which the service will call; null if there is none. */
async function issuerFault(issuer: string): Promise<string | null> {
  const { guard } = await app.container.make('outbound')
  try {
    const { search, hash, username, href } = guard.checkUrl(issuer)
    const isPlain = search === '' && hash === '' && username === ''
    const isNormalized = href === issuer || href === `${issuer}/`
    return isPlain && isNormalized ? null : 'An issuer is an address with nothing after its path.'
  } catch (error) {
    if (error instanceof OutboundRefused) return error.message
    throw error
  }
}
