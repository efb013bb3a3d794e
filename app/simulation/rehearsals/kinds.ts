import { Type } from '@sinclair/typebox'
import { wishKind } from '#foundation/core/agenda/kinds'

/** A rehearsal is to be played; the subject is its id. */
export const rehearsing = wishKind('simulation.rehearse', Type.Object({}), null)
