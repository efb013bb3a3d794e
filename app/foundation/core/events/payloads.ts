import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import { entity, id, instant, named, nonEmpty, object, url } from '../schemas.js'

/** The payload of an event: a base payload and additional members. */
export interface PayloadModel {
  name: string
  description: string
  base: PayloadModel | null
  members: TProperties
  /** The members of a thin payload, without long texts. */
  brief: TProperties
}

const head = {
  id: id('Id of the event, the same on every attempt; `webhook-id` repeats it.'),
  eventType: nonEmpty('Type of the event, such as `release.kickedOff`.', 64),
  type: nonEmpty('Same as `eventType`, where Standard Webhooks expect it.', 64),
  model: nonEmpty(
    'Schema of the payload in the OpenAPI document: `WebhookReleasePayload`, or `WebhookThinReleasePayload` if sent in brief.',
    100
  ),
  createdAt: instant('When the event occurred, in UTC.'),
  sequence: Type.Integer({
    description: 'Number of the event within the organization, without gaps.',
    minimum: 1,
  }),
  org: object('Organization of the event.', {
    id: id('Id of the organization.'),
    name: nonEmpty('Name of the organization.', 200),
  }),
}

/** The members of every payload (docs/explanation/webhooks.md). */
export const WebhookPayload: PayloadModel = {
  name: 'WebhookPayload',
  description: 'An event as sent; its type determines the other members.',
  base: null,
  members: head,
  brief: {
    ...head,
    truncated: Type.Literal(true, {
      description: 'The full payload exceeds 256 KiB; this one holds identifying members.',
    }),
    url: url('Absolute URL to read the full resource.'),
  },
}

/** Returns a payload with the members of its base and additional ones. */
export const extendedPayload = (
  name: string,
  description: string,
  base: PayloadModel,
  members: TProperties,
  brief: TProperties = members
): PayloadModel => ({ name, description, base, members, brief })

/** Returns the schema of a full payload. */
function payloadSchema({ name, description, base, members }: PayloadModel): TSchema {
  return inherited(name, description, base && payloadSchema(base), members)
}

/** Returns the name of the thin form of a model. */
export const thinName = ({ name }: PayloadModel) => name.replace(/^Webhook/, 'WebhookThin')

/** Returns the schema of a thin payload. */
function thinPayloadSchema(model: PayloadModel): TSchema {
  const { description, base, brief } = model
  const inBrief = `${description} In brief, as the full payload exceeds 256 KiB.`
  return inherited(thinName(model), inBrief, base && thinPayloadSchema(base), brief)
}

/** Returns the schema of a payload of any of the models, full or thin. `model` tells them apart. */
export function anyPayload(models: readonly PayloadModel[]): TSchema {
  const variants = models.flatMap((model) => [payloadSchema(model), thinPayloadSchema(model)])
  const mapping = variants.map(({ $id }) => [$id, `#/components/schemas/${$id}`])
  const union = Type.Union(variants, {
    discriminator: { propertyName: 'model', mapping: Object.fromEntries(mapping) },
  })
  if (models.length > 1) return union
  // Events with the same payload name one model.
  const [{ name, description }] = models
  return named(name.replace(/^Webhook/, 'WebhookAny'), { ...union, description })
}

function inherited(
  name: string,
  description: string,
  base: TSchema | null,
  members: TProperties
): TSchema {
  if (!base) return entity(name, description, members)
  return named(name, Type.Unsafe({ description, allOf: [base, Type.Object(members)] }))
}

/** Reduces the members of a full payload to those of a thin one. */
export function briefOf(model: PayloadModel, members: Record<string, unknown>) {
  const kept: Record<string, unknown> = {}
  for (let each: PayloadModel | null = model; each; each = each.base) {
    Object.assign(kept, picked(Type.Object(each.brief), members))
  }
  return kept
}

/** Reduces a value to the members that a schema describes. */
function picked(schema: TSchema, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const variants = schema.anyOf as TSchema[] | undefined
  if (variants) return picked(variants[0], value)
  if (Array.isArray(value)) return value.map((each) => picked(schema.items as TSchema, each))
  const properties = schema.properties as TProperties | undefined
  if (!properties) return value
  const members = value as Record<string, unknown>
  const names = Object.keys(properties).filter((name) => name in members)
  return Object.fromEntries(names.map((name) => [name, picked(properties[name], members[name])]))
}
