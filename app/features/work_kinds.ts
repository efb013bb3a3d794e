import { Type } from '@sinclair/typebox'
import { observationKind } from '#foundation/core/jobs/kinds'

const app = Type.Object({ appId: Type.String() })

/** The code of a release is looked at; the subject is the release's internal id. */
export const codeKind = observationKind('features.code', app)

/** The flags of an app are looked at while a release is rolled out; the subject is its internal id. */
export const flagsKind = observationKind('features.flags', app)

/** The tickets of a release are looked at; the subject is the release's internal id. */
export const ticketsKind = observationKind('features.tickets', app)
