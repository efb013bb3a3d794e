import { Type } from '@sinclair/typebox'
import { observationKind } from '#foundation/core/jobs/kinds'

const app = Type.Object({ appId: Type.String() })

/* The kinds of polls for a release; the subject is the release's internal id. */
export const WATCH_KINDS = {
  translations: observationKind('progress.translations', app),
  testRuns: observationKind('progress.testRuns', app),
} as const
