import { admin, open, operation } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import { oneStep } from '#foundation/api/operation/steps'
import { list } from '#foundation/core/schemas'
import {
  exampleKeylessKey,
  exampleListedRule,
  exampleRule,
  exampleRuleInput,
  EXAMPLE_EXCHANGE,
} from './examples.js'
import { KeylessKey, ListedTrustRuleEntity, TrustRuleEntity } from './entities.js'
import type { Exchange } from './exchange_token.js'
import { exchangeBody, trustRuleBody } from './validators.js'

const keyless = lazyController(
  async () => new (await import('./controller.js')).KeylessController()
)

const all = '/org/{orgId}/trustRule'
const one = `${all}/{trustRuleId}`
const shared = { tag: 'Organization', surface: 'pages', access: admin } as const
const shown = { description: 'The rule.', schema: TrustRuleEntity, example: exampleRule }
const body = {
  kind: 'json',
  description: 'The rule.',
  like: TrustRuleEntity,
  validator: trustRuleBody,
  example: exampleRuleInput,
} as const

/** Rules for CI runs that get keys, and the exchange of tokens for keys. */
export const keylessOperations = [
  operation({
    ...shared,
    id: 'listTrustRules',
    method: 'GET',
    path: all,
    summary: 'List the trust rules',
    description:
      'Returns all trust rules of the organization, oldest first, and when a run last got a key through each.',
    responses: {
      200: {
        description: 'The rules.',
        schema: list('The rules.', ListedTrustRuleEntity, 500),
        example: [exampleListedRule],
      },
    },
    handle: (call) => keyless.index(call),
  }),
  operation({
    ...shared,
    id: 'getTrustRule',
    method: 'GET',
    path: one,
    summary: 'Get a trust rule',
    description: 'Returns a trust rule.',
    responses: { 200: shown },
    handle: (call) => keyless.show(call),
  }),
  operation({
    ...shared,
    id: 'createTrustRule',
    method: 'POST',
    path: all,
    summary: 'Create a trust rule',
    description:
      'Lets runs of one workflow of one repository get a key for one app. The keys of its issuer are fetched if the service may connect to it.',
    body: { ...body, name: 'TrustRuleCreation' },
    responses: { 201: shown },
    errors: [409],
    creates: 'getTrustRule',
    check: (call, errors) => keyless.check(call, errors),
    handle: (call) => keyless.store(call),
  }),
  operation({
    ...shared,
    id: 'updateTrustRule',
    method: 'PUT',
    path: one,
    summary: 'Change a trust rule',
    description: 'Replaces the rule. Keys that runs got through it expire at once.',
    body: { ...body, name: 'TrustRuleUpdate' },
    responses: { 200: { ...shown, description: 'The changed rule.' } },
    precondition: { of: 'getTrustRule', isResponse: true },
    check: (call, errors) => keyless.check(call, errors),
    handle: (call) => keyless.update(call),
  }),
  operation({
    ...shared,
    id: 'deleteTrustRule',
    method: 'DELETE',
    path: one,
    summary: 'Delete a trust rule',
    description: 'Deletes the rule. Keys that runs got through it expire at once.',
    responses: { 204: { description: 'The rule is deleted.' } },
    precondition: { of: 'getTrustRule' },
    handle: (call) => keyless.destroy(call),
  }),
  operation<Exchange>({
    id: 'exchangeToken',
    tag: 'Organization',
    beyond: true,
    access: open,
    steps: oneStep('gives what a rule of an admin allows'),
    method: 'POST',
    path: '/keylessKey',
    summary: 'Exchange the token of a CI run for a key',
    description:
      'Exchanges an OpenID Connect token that GitHub Actions or GitLab issued to a run for a 15-minute key for one app, if a rule of an admin trusts the workflow. A token works once. Runs of pull and merge requests get no key.',
    body: {
      kind: 'json',
      name: 'KeylessKeyRequest',
      description: 'The token, and its app.',
      validator: exchangeBody,
      example: EXAMPLE_EXCHANGE,
    },
    responses: {
      200: {
        description: 'The key, shown only once.',
        schema: KeylessKey,
        example: exampleKeylessKey,
      },
    },
    errors: [401, 429, 503],
    handle: (call) => keyless.exchange(call),
  }),
]
