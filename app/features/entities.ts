import { count, entity } from '#foundation/core/schemas'

export const FeatureReadinessReleaseStepData = entity(
  'FeatureReadinessReleaseStepData',
  'Data of a feature readiness step: its work items, counted.',
  {
    total: count('Work items of the release.'),
    ready: count('Those whose code and ticket are done.'),
    notReady: count('Those that something is still missing of.'),
    ignored: count('Those that a person has put aside.'),
  }
)
