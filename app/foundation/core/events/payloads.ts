import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import { entity, id, instant, nonEmpty, object } from '../schemas.js'

/** The members every payload has, whatever the event (docs/webhooks.md). */
export const payloadHead = {
  id: id('Id of the event, the same on every attempt; `webhook-id` repeats it.'),
  eventType: nonEmpty('What happened, such as `release.kickedOff`.', 64),
  type: nonEmpty('The same as `eventType`, where Standard Webhooks look for it.', 64),
  createdAt: instant('When it happened, in UTC.'),
  sequence: Type.Integer({
    description: 'Number of the event within the organization, without gaps.',
    minimum: 1,
  }),
  org: object('The organization it happened in.', {
    id: id('Id of the organization.'),
    name: nonEmpty('Name of the organization.', 200),
  }),
}

/** A payload model by its members, which another may have all of and more. */
export interface PayloadModel {
  name: string
  description: string
  members: TProperties
}

export const payloadModel = (
  name: string,
  description: string,
  members: TProperties
): PayloadModel => ({ name, description, members: { ...payloadHead, ...members } })

/** A payload model that has all of another one and more. */
export const extendedPayload = (
  name: string,
  description: string,
  base: PayloadModel,
  members: TProperties
): PayloadModel => ({ name, description, members: { ...base.members, ...members } })

/** The schema of a payload model. */
export const payloadSchema = ({ name, description, members }: PayloadModel): TSchema =>
  entity(name, description, members)
