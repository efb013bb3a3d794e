import type { Static } from '@sinclair/typebox'
import {
  ActorEntity,
  described,
  entity,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  url,
  enumOf,
} from '#foundation/core/schemas'
import { groups, secretKey } from '../entities.js'
import { CI_PROVIDERS } from './ci_run.js'

const members = {
  id: id('Id of the rule.'),
  appId: nonEmpty('Id of the app.', 200),
  provider: enumOf(CI_PROVIDERS, 'CI provider of the tokens.'),
  issuer: url('Issuer of the tokens.'),
  audience: nonEmpty('Required audience of the tokens.', 255),
  repository: nonEmpty('Repository, as spelled by its provider.', 255),
  repositoryId: nullable(
    nonEmpty('Number of the repository, unchanged when it is renamed; null for any.', 32)
  ),
  workflow: nonEmpty('Path of the workflow file in the repository.', 255),
  refs: list('Branches and tags; a trailing `*` matches anything.', nonEmpty('A ref.', 255), 20),
  environment: nullable(nonEmpty('Environment; null for any or none.', 255)),
  groups: groups('Groups whose user actions the keys have, by name.'),
  createdAt: instant('When it was created, in UTC.'),
  createdBy: described('Creator of the rule.', ActorEntity),
}

export const TrustRuleEntity = entity(
  'TrustRule',
  'A rule that lets CI runs get a key for an app, based on the claims of their provider.',
  members
)
export type TrustRuleEntity = Static<typeof TrustRuleEntity>

/** Lists alone have the last use: the entity tag of a rule does not change with every run. */
export const ListedTrustRuleEntity = entity(
  'ListedTrustRule',
  'A rule that lets CI runs get a key for an app, with its last use.',
  {
    ...members,
    lastUsedAt: nullable(instant('When a run last got a key through it, in UTC; null if never.')),
  }
)
export type ListedTrustRuleEntity = Static<typeof ListedTrustRuleEntity>

export const KeylessKey = entity('KeylessKey', 'The key of a CI run.', {
  key: secretKey,
  apiKeyId: nonEmpty('Id of the key: its 12 characters after `tarmac_`.', 12),
  appId: nonEmpty('Id of the only app that the key can access.', 200),
  expiresAt: instant('When the key expires, in UTC: 15 minutes after its creation.'),
})
