import type { GroupEntity } from '#organizations/entities'
import type { ListedTrustRuleEntity, TrustRuleEntity } from '#organizations/keyless/entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { NamedApp } from './answers.js'
import { deleteTrustRuleView, trustRulesView, trustRuleView } from './trust.view.js'

const ofOrg = ({ orgId }: Record<string, string>) => ({ params: { orgId } })

const appsOf = async ({ ask, params }: PageCall) =>
  (await ask<NamedApp[]>('listApps', ofOrg(params))).body

/** Reads the choices that the form of a trust rule offers. */
async function offered(call: PageCall) {
  const groups = call.ask<GroupEntity[]>('listGroups', ofOrg(call.params))
  return { apps: await appsOf(call), groups: (await groups).body, baseUrl: call.baseUrl }
}

async function ruleOf({ ask, params: { orgId, trustRuleId } }: PageCall) {
  const params = { orgId, trustRuleId }
  const { body: rule, etag: tag } = await ask<TrustRuleEntity>('getTrustRule', { params })
  return { rule, tag }
}

/** The trust rules of an organization. */
export const trustRulesPage = page({
  path: addresses.trustRules,
  template: 'keys/trust_list',
  async read(call) {
    const { body: rules } = await call.ask<ListedTrustRuleEntity[]>(
      'listTrustRules',
      ofOrg(call.params)
    )
    return { rules, apps: await appsOf(call) }
  },
  view: trustRulesView,
})

/** The form that makes a rule. */
export const newTrustRulePage = page({
  path: addresses.newTrustRule,
  template: 'keys/trust_form',
  async read(call) {
    // Refuses readers who may not see rules, as they may not make one.
    await call.ask('listTrustRules', ofOrg(call.params))
    return { rule: null, tag: null, ...(await offered(call)) }
  },
  view: trustRuleView,
})

/** The form that changes a rule. */
export const trustRulePage = page({
  path: addresses.trustRule,
  template: 'keys/trust_form',
  read: async (call) => ({ ...(await ruleOf(call)), ...(await offered(call)) }),
  view: trustRuleView,
})

/** The question before a rule is deleted. */
export const deleteTrustRulePage = page({
  path: addresses.deleteTrustRule,
  template: 'components/question_page',
  read: ruleOf,
  view: deleteTrustRuleView,
})
