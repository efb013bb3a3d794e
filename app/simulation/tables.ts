import { instant, integer, json, table, text } from '#foundation/core/database/table'
import type { World } from './world/world.js'

/** Worlds that organizations rehearse in, one each. */
export const simulatedWorlds = table('simulated_worlds', {
  id: text(),
  organizationId: text(),
  /** SHA-256 of the token of its connection, in hexadecimal digits. */
  tokenHash: text(),
  /** Milliseconds that its time is ahead of the service's. */
  aheadMs: integer(),
  /** Another with every state: who has read the state of it need not read it again. */
  stamp: text(),
  state: json<World>(),
  createdAt: instant(),
  updatedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    simulated_worlds: typeof simulatedWorlds
  }
}
