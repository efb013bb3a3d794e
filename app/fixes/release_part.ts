import { Type } from '@sinclair/typebox'
import type { ReleasePart } from '#releases/parts'

declare module '#releases/parts' {
  interface ReleaseDetailMembers {
    fixRequests: number
  }
}

/** A release counts its fix requests: none until they are recorded. */
export const releasePart: ReleasePart = {
  name: 'fixes',
  detail: {
    schema: { fixRequests: Type.Integer({ minimum: 0 }) },
    of: async () => ({ fixRequests: 0 }),
  },
}
