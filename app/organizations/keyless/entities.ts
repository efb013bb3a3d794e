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
  words,
} from '#foundation/core/schemas'
import { groups, secretKey } from '../entities.js'
import { CI_PROVIDERS } from './ci_run.js'

export const TrustRuleEntity = entity(
  'TrustRule',
  'Runs of CI that get a key for an app, by what the provider of the CI says of them.',
  {
    id: id('Id of the rule.'),
    appId: nonEmpty('Id of the app.', 200),
    provider: words(CI_PROVIDERS, 'Whose tokens they are.'),
    issuer: url('The issuer of the tokens.'),
    audience: nonEmpty('The audience that a token has to be for.', 255),
    repository: nonEmpty('The repository, as its provider writes it.', 255),
    repositoryId: nullable(
      nonEmpty('Its number, which stays when it is renamed; null for any.', 32)
    ),
    workflow: nonEmpty('Path of the file of the workflow in the repository.', 255),
    refs: list(
      'Branches and tags; a star at the end is whatever follows.',
      nonEmpty('A ref.', 255),
      20
    ),
    environment: nullable(nonEmpty('The environment; null for any, and for none.', 255)),
    groups: groups('Groups whose user actions a key has, by name.'),
    createdAt: instant('When it was made, in UTC.'),
    createdBy: described('Who made it.', ActorEntity),
    lastUsedAt: nullable(instant('When a run last got a key by it, in UTC; null for never.')),
  }
)
export type TrustRuleEntity = Static<typeof TrustRuleEntity>

export const KeylessKey = entity('KeylessKey', 'The key of a run of CI.', {
  key: secretKey,
  apiKeyId: nonEmpty('Id of the key: its 12 characters behind `tarmac_`.', 12),
  appId: nonEmpty('Id of the only app that it is for.', 200),
  expiresAt: instant('When it ends, in UTC: 15 minutes after it was made.'),
})
