import { Type } from '@sinclair/typebox'
import { observationKind } from '#foundation/core/jobs/kinds'

const app = Type.Object({ appId: Type.String() })

/** Polls the code of a release; the subject is the release's internal id. */
export const codeKind = observationKind('features.code', app)

/** Polls the flags of an app while a release is rolled out; the subject is its internal id. */
export const flagsKind = observationKind('features.flags', app)

/** Polls the tickets of a release; the subject is the release's internal id. */
export const ticketsKind = observationKind('features.tickets', app)
