import { Type } from '@sinclair/typebox'
import { observationKind } from '#foundation/core/agenda/kinds'

const app = Type.Object({ appId: Type.String() })

/* What is looked at for a release; the subject is its internal id. */
export const WATCH_KINDS = {
  translations: observationKind('progress.translations', app),
  testRuns: observationKind('progress.testRuns', app),
} as const
