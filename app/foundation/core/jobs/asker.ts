import { Type } from '@sinclair/typebox'

/** The requester of deferred work, as its job stores it. */
export const Asker = Type.Object({
  type: Type.Union([
    Type.Literal('user'),
    Type.Literal('apiKey'),
    Type.Literal('automation'),
    Type.Literal('system'),
  ]),
  id: Type.Union([Type.String(), Type.Null()]),
  name: Type.String(),
})
