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
    value: nullable(text('Its value as text, JSON where it is none; null for nothing.', 10_000)),
  }
)

const FeatureFlagVariation = entity('FeatureFlagVariation', 'A variant of a flag.', {
  id: nonEmpty('Id of the variation.', 300),
  key: nonEmpty('Key of the variation.', 300),
  name: nonEmpty('Name of the variation.', 300),
  value: nullable(text('Its value as text, JSON where it is none; null for nothing.', 10_000)),
  rolloutPercentage: nullable(
    percentage('Its share among everybody; null if no rule gives one to everybody.')
  ),
  variables: list(
    'The variables it sets, if its value is an object.',
    FeatureFlagVariationVariable,
    100
  ),
})

const FeatureFlagPredicate = entity('FeatureFlagPredicate', 'A comparison of an attribute.', {
  attribute: nonEmpty('Name of the attribute.', 300),
  operator: nonEmpty('How it is compared: `>=`, `<=`, `>`, `<`, `=`, or `matches`.', 50),
  values: list('What it is compared with.', text('A value.', 1000), 100),
})

const FeatureFlagRuleCondition = entity(
  'FeatureFlagRuleCondition',
  'A condition of a rule: all of its predicates hold.',
  { predicates: list('The comparisons.', FeatureFlagPredicate, 100) }
)

const FeatureFlagAudienceCondition = entity(
  'FeatureFlagAudienceCondition',
  'A condition of an audience.',
  { predicates: list('The comparisons.', FeatureFlagPredicate, 100) }
)

const FeatureFlagAudience = entity('FeatureFlagAudience', 'People a rule is for.', {
  id: nonEmpty('Id of the audience.', 300),
  name: nonEmpty('Name of the audience.', 300),
  conditions: list(
    'Who belongs to it; empty if its provider does not report it.',
    FeatureFlagAudienceCondition,
    100
  ),
})

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
  'A rule: which variations of a flag go to whom.',
  {
    id: nonEmpty('Id of the rule within the flag.', 300),
    name: nonEmpty('What people call it.', 300),
    enabled: flag('Whether it is in force.'),
    audiences: list('The people it is for; empty for everybody.', FeatureFlagAudience, 100),
    conditions: list('Further conditions.', FeatureFlagRuleCondition, 100),
    weightedVariations: list(
      'Shares of the variations; empty if its provider does not report it.',
      FeatureFlagWeightedVariation,
      100
    ),
  }
)

export const FeatureFlag = entity(
  'FeatureFlag',
  'A flag of the experimentation service, and what it means to a release.',
  {
    id: nonEmpty('Id of the flag at its provider.', 300),
    key: nonEmpty('Key by which the code asks for it.', 300),
    name: nonEmpty('Name of the flag.', 1000),
    enabled: flag('Whether it is on in the environment.'),
    archived: flag('Whether it was archived.'),
    createdAt: nullable(
      instant('When it was made, in UTC; null if the provider does not report it.')
    ),
    minimumVersion: nullable(nonEmpty('Lowest version a rule asks for; null for none.', 100)),
    maximumVersion: nullable(nonEmpty('Highest version a rule allows; null for none.', 100)),
    targetVersions: list('Versions that rules name.', nonEmpty('A version.', 100), 100),
    targetsCurrentVersion: flag('Whether a rule about versions includes this one.'),
    variations: list('Its variations.', FeatureFlagVariation, 100),
    rules: list('Its rules, in order.', FeatureFlagRule, 200),
    environmentId: nonEmpty('The environment it is switched in.', 300),
    projectId: nullable(nonEmpty('The project it is in; null if there are none.', 300)),
    url: nullable(url('Where people see it; null if the provider does not report it.')),
    etag: nullable(
      nonEmpty(
        'Tag of its present state, to name in a switch; null if the provider has none.',
        1000
      )
    ),
  }
)
export type FeatureFlag = Static<typeof FeatureFlag>
