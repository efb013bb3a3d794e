import { Type } from '@sinclair/typebox'

/** Who asked for something that a worker does later, as its entry of the agenda keeps it. */
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
