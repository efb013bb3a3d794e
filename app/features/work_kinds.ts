import { Type } from '@sinclair/typebox'
import { observationKind } from '#foundation/core/agenda/kinds'

const app = Type.Object({ appId: Type.String() })

/** The code of a release is looked at; the subject is the release's internal id. */
export const codeKind = observationKind('features.code', app)

/** The tickets of a release are looked at; the subject is the release's internal id. */
export const ticketsKind = observationKind('features.tickets', app)
