import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import { instant, named } from '../schemas.js'

/** The payload of an event, by what it adds to that of another. */
export interface PayloadModel {
  name: string
  base: PayloadModel | null
  members: TProperties
  /** What a payload that is sent thin keeps of the members: no text of any length. */
  brief: TProperties
}

const head = {
  id: Type.String({ description: 'Id of the event.' }),
  eventType: Type.String({ description: 'What happened.' }),
  type: Type.String({ description: 'The same as `eventType`.' }),
  createdAt: instant({ description: 'When it happened.' }),
  sequence: Type.Integer({
    minimum: 1,
    description: 'Number of the event within the organization, without gaps.',
  }),
  org: Type.Object(
    {
      id: Type.String({ description: 'Id of the organization.' }),
      name: Type.String({ description: 'Its name.' }),
    },
    { description: 'The organization the event belongs to.' }
  ),
}

/** The members every payload has, whatever the event (docs/webhooks.md). */
export const WebhookPayload: PayloadModel = {
  name: 'WebhookPayload',
  base: null,
  members: head,
  brief: {
    ...head,
    truncated: Type.Literal(true, {
      description: 'The whole payload is over 256 KiB: this one holds what identifies it.',
    }),
    url: Type.String({
      format: 'uri',
      description: 'Absolute address to read the very resource at.',
    }),
  },
}

/** A payload that has all of another one and more. */
export const extendedPayload = (
  name: string,
  base: PayloadModel,
  members: TProperties,
  brief: TProperties = members
): PayloadModel => ({ name, base, members, brief })

/** The schema of a payload as it is sent whole. */
export function payloadSchema({ name, base, members }: PayloadModel): TSchema {
  return inherited(name, base && payloadSchema(base), members)
}

/** The schema of a payload that is sent thin. */
export function thinPayloadSchema({ name, base, brief }: PayloadModel): TSchema {
  const thinName = name.replace(/^Webhook/, 'WebhookThin')
  return inherited(thinName, base && thinPayloadSchema(base), brief)
}

function inherited(name: string, base: TSchema | null, members: TProperties): TSchema {
  const own = Type.Object(members)
  return named(name, base ? Type.Unsafe({ allOf: [base, own] }) : own)
}

/** What a thin payload keeps of the members of a whole one. */
export function briefOf(model: PayloadModel, members: Record<string, unknown>) {
  const kept: Record<string, unknown> = {}
  for (let each: PayloadModel | null = model; each; each = each.base) {
    Object.assign(kept, picked(Type.Object(each.brief), members))
  }
  return kept
}

/** A value with those members alone that a schema describes. */
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
