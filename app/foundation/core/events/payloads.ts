import { Type, type TObject, type TProperties } from '@sinclair/typebox'
import { instant, named, words } from '../schemas.js'

const head = {
  id: Type.String(),
  eventType: Type.String(),
  type: Type.String(),
  createdAt: instant(),
  sequence: Type.Integer({ minimum: 1 }),
  org: Type.Object({ id: Type.String(), name: Type.String() }),
}

/** The members every payload of an app has (`contract/webhooks.md`). */
export function appPayload<Platforms extends readonly string[]>(platforms: Platforms) {
  return named(
    'WebhookAppPayload',
    Type.Object({
      ...head,
      app: Type.Object({
        id: Type.String(),
        name: Type.String(),
        platform: words(platforms),
        appGroup: Type.Union([Type.String(), Type.Null()]),
      }),
    })
  )
}

/** A payload model that has all of another one and more. */
export function extendPayload(name: string, base: TObject, members: TProperties): TObject {
  return named(name, Type.Object({ ...base.properties, ...members }))
}
