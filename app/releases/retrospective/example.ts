import { STEP_CONFIGS } from '#apps/examples'
import { RELEASE_ID, VERSION } from '../examples.js'
import type { ReleaseRetrospectiveEntity } from './entity.js'

const RELEASE_PILOTS = { type: 'group', id: 'group_5hVt1KzR9pBn3QxEw7Gd', name: 'Release Pilots' }

export const exampleRetrospective: ReleaseRetrospectiveEntity = {
  releaseId: RELEASE_ID,
  version: VERSION,
  from: '2026-11-16T09:00:12.480Z',
  to: '2026-11-23T09:00:12.480Z',
  hours: 168,
  medianHours: null,
  comparedWith: [],
  steps: [
    {
      stepConfigId: STEP_CONFIGS.regressionTesting,
      name: 'Regression testing',
      type: 'regressionTesting',
      hours: 120.25,
      medianHours: null,
      waits: [{ who: [RELEASE_PILOTS], hours: 120.25 }],
    },
    {
      stepConfigId: STEP_CONFIGS.submission,
      name: 'Submission',
      type: 'submission',
      hours: 47.75,
      medianHours: null,
      waits: [{ who: [{ type: 'service', name: 'service' }], hours: 47.75 }],
    },
  ],
}
