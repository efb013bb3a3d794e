import { Type } from '@sinclair/typebox'
import { commandKind } from '#foundation/core/jobs/kinds'

/** Plays a rehearsal; the subject is its id. */
export const rehearsalCommand = commandKind('simulation.rehearse', Type.Object({}), null)
