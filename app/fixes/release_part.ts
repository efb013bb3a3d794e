import { count } from '#foundation/core/schemas'
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
    schema: { fixRequests: count('How many fix requests it has.') },
    of: async () => ({ fixRequests: 0 }),
    example: { fixRequests: 0 },
  },
}
