import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import { instant, named } from '../schemas.js'

/** The members every payload has, whatever the event (docs/webhooks.md). */
export const payloadHead = {
  id: Type.String(),
  eventType: Type.String(),
  type: Type.String(),
  createdAt: instant(),
  sequence: Type.Integer({ minimum: 1 }),
  org: Type.Object({ id: Type.String(), name: Type.String() }),
}

/** A payload model by its members, which another may have all of and more. */
export interface PayloadModel {
  name: string
  members: TProperties
}

export const payloadModel = (name: string, members: TProperties): PayloadModel => ({
  name,
  members: { ...payloadHead, ...members },
})

/** A payload model that has all of another one and more. */
export const extendedPayload = (
  name: string,
  base: PayloadModel,
  members: TProperties
): PayloadModel => ({ name, members: { ...base.members, ...members } })

/** The schema of a payload model. */
export const payloadSchema = ({ name, members }: PayloadModel): TSchema =>
  named(name, Type.Object(members))
