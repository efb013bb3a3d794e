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
  /** Changes with every state, so that readers may cache a state by its stamp. */
  stamp: text(),
  state: json<World>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Rehearsals of apps that people have requested, with their results. */
export const rehearsals = table('rehearsals', {
  id: text(),
  organizationId: text(),
  appId: text(),
  state: text<RehearsalState>(),
  /** Name of a scenario in the box (`scenarios/box`). */
  scenario: text(),
  weeks: integer(),
  /** Start of the simulated time. */
  beginsAt: instant(),
  /** The simulated time that it has reached. */
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
