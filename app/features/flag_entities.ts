import type { Static } from '@sinclair/typebox'
import {
  entity,
  flag,
  instant,
  list,
  nonEmpty,
  nullable,
  percentage,
  text,
  url,
} from '#foundation/core/schemas'

const FeatureFlagVariationVariable = entity(
  'FeatureFlagVariationVariable',
  'A variable that a variation sets.',
  {
    key: nonEmpty('Name of the variable.', 200),
    type: nonEmpty('Type of its value, such as `string`.', 20),
    value: nullable(text('Value as text, or as JSON if it is not text; null if none.', 10_000)),
  }
)

const FeatureFlagVariation = entity('FeatureFlagVariation', 'A variant of a flag.', {
  id: nonEmpty('Id of the variation.', 300),
  key: nonEmpty('Key of the variation.', 300),
  name: nonEmpty('Name of the variation.', 300),
  value: nullable(text('Value as text, or as JSON if it is not text; null if none.', 10_000)),
  rolloutPercentage: nullable(
    percentage('Share among all users; null if no rule applies to all users.')
  ),
  variables: list(
    'The variables it sets, if its value is an object.',
    FeatureFlagVariationVariable,
    100
  ),
})

const FeatureFlagPredicate = entity('FeatureFlagPredicate', 'A comparison of an attribute.', {
  attribute: nonEmpty('Name of the attribute.', 300),
  operator: nonEmpty('Operator: `>=`, `<=`, `>`, `<`, `=`, or `matches`.', 50),
  values: list('Values to compare with.', text('A value.', 1000), 100),
})

const FeatureFlagRuleCondition = entity(
  'FeatureFlagRuleCondition',
  'A condition of a rule; all its predicates must hold.',
  { predicates: list('The comparisons.', FeatureFlagPredicate, 100) }
)

const FeatureFlagAudienceCondition = entity(
  'FeatureFlagAudienceCondition',
  'A condition of an audience.',
  { predicates: list('The comparisons.', FeatureFlagPredicate, 100) }
)

const FeatureFlagAudience = entity(
  'FeatureFlagAudience',
  'A group of users that a rule applies to.',
  {
    id: nonEmpty('Id of the audience.', 300),
    name: nonEmpty('Name of the audience.', 300),
    conditions: list(
      'Conditions of membership; empty if not reported.',
      FeatureFlagAudienceCondition,
      100
    ),
  }
)

const FeatureFlagWeightedVariation = entity(
  'FeatureFlagWeightedVariation',
  'The share of a variation under a rule.',
  {
    variationId: nonEmpty('Id of the variation.', 300),
    weight: percentage('Its share, in percent.'),
  }
)

const FeatureFlagRule = entity(
  'FeatureFlagRule',
  'A rule that assigns variations of a flag to users.',
  {
    id: nonEmpty('Id of the rule within the flag.', 300),
    name: nonEmpty('Name of the rule.', 300),
    enabled: flag('Whether the rule is active.'),
    audiences: list('Audiences of the rule; empty for all users.', FeatureFlagAudience, 100),
    conditions: list('Further conditions.', FeatureFlagRuleCondition, 100),
    weightedVariations: list(
      'Shares of the variations; empty if not reported.',
      FeatureFlagWeightedVariation,
      100
    ),
  }
)

export const FeatureFlag = entity(
  'FeatureFlag',
  'A flag of the experimentation service, and its effect on a release.',
  {
    id: nonEmpty('Id of the flag at its provider.', 300),
    key: nonEmpty('Key that the code uses for the flag.', 300),
    name: nonEmpty('Name of the flag.', 1000),
    enabled: flag('Whether the flag is on in the environment.'),
    archived: flag('Whether the flag is archived.'),
    createdAt: nullable(instant('When it was created, in UTC; null if not reported.')),
    minimumVersion: nullable(nonEmpty('Lowest version allowed by a rule; null if none.', 100)),
    maximumVersion: nullable(nonEmpty('Highest version allowed by a rule; null if none.', 100)),
    targetVersions: list('Versions named in rules.', nonEmpty('A version.', 100), 100),
    targetsCurrentVersion: flag("Whether a version rule includes the release's version."),
    variations: list('Variations of the flag.', FeatureFlagVariation, 100),
    rules: list('Rules of the flag, in order.', FeatureFlagRule, 200),
    environmentId: nonEmpty('Environment in which it is switched.', 300),
    projectId: nullable(nonEmpty('Project of the flag; null if none.', 300)),
    url: nullable(url('URL of its page; null if not reported.')),
    etag: nullable(
      nonEmpty(
        'Tag of its current state, to send when switching it; null if the provider has none.',
        1000
      )
    ),
  }
)
export type FeatureFlag = Static<typeof FeatureFlag>
