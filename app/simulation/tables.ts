import { instant, integer, json, optional, table, text } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { KeptRehearsal } from './rehearsals/result.js'
import type { RehearsalState } from './rehearsals/vocabulary.js'
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

/** Rehearsals of apps that people have asked for, and what came of them. */
export const rehearsals = table('rehearsals', {
  id: text(),
  organizationId: text(),
  appId: text(),
  state: text<RehearsalState>(),
  /** Name of a scenario of the box. */
  scenario: text(),
  weeks: integer(),
  /** The first instant of the time that is played. */
  beginsAt: instant(),
  /** Its position in that time. */
  playedTo: optional(instant()),
  /** Why it could not be played. */
  failure: optional(text()),
  result: optional(json<KeptRehearsal>()),
  createdBy: json<Actor>(),
  createdAt: instant(),
  endedAt: optional(instant()),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    simulated_worlds: typeof simulatedWorlds
    rehearsals: typeof rehearsals
  }
}
