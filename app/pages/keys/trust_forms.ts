import type { TrustRuleEntity } from '#organizations/keyless/entities'
import { addresses, addressOf } from '../addresses.js'
import { linesIn, listIn, textOf } from '../frame/fields.js'
import { form, type Fields } from '../frame/page.js'
import { deleteTrustRulePage, newTrustRulePage, trustRulePage } from './trust_page.js'

type Params = Record<string, string>

const ofRule = ({ orgId, trustRuleId }: Params) => ({ orgId, trustRuleId })

/** Returns a trust rule from the fields that both of its forms have. */
const ruleIn = (fields: Fields) => ({
  appId: textOf(fields, 'appId') ?? '',
  provider: textOf(fields, 'provider') ?? '',
  issuer: textOf(fields, 'issuer') ?? '',
  audience: textOf(fields, 'audience') ?? '',
  repository: textOf(fields, 'repository') ?? '',
  repositoryId: textOf(fields, 'repositoryId'),
  workflow: textOf(fields, 'workflow') ?? '',
  refs: linesIn(fields, 'refs'),
  environment: textOf(fields, 'environment'),
  groupIds: listIn(fields, 'groupIds'),
})

const saidOf = (verb: string, answer: unknown) => {
  const { repository } = answer as TrustRuleEntity
  return `${verb} the rule for ${repository}.`
}

/** Makes a rule. */
export const newTrustRuleForm = form({
  path: addresses.trustRules,
  operation: 'createTrustRule',
  makes: true,
  request: ({ params: { orgId }, fields }) => ({ params: { orgId }, body: ruleIn(fields) }),
  shownOn: { page: newTrustRulePage },
  done: ({ params: { orgId }, answer }) => ({
    to: addressOf(addresses.trustRules, { orgId }),
    said: saidOf('Created', answer),
  }),
})

/** Changes a rule. */
export const trustRuleForm = form({
  path: addresses.trustRule,
  operation: 'updateTrustRule',
  request: ({ params, fields }) => ({ params: ofRule(params), body: ruleIn(fields) }),
  shownOn: { page: trustRulePage, params: ofRule },
  done: ({ params: { orgId }, answer }) => ({
    to: addressOf(addresses.trustRules, { orgId }),
    said: saidOf('Changed', answer),
  }),
})

/** Deletes a rule. */
export const deleteTrustRuleForm = form({
  path: addresses.deleteTrustRule,
  operation: 'deleteTrustRule',
  request: ({ params }) => ({ params: ofRule(params) }),
  shownOn: { page: deleteTrustRulePage, params: ofRule },
  done: ({ params: { orgId } }) => ({
    to: addressOf(addresses.trustRules, { orgId }),
    said: 'Deleted the rule.',
  }),
})
