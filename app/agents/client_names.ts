import type { Cursors } from '#foundation/api/pages'
import { randomText } from '#foundation/core/ids'
import type { Principal } from '#foundation/core/principal'
import { Problem } from '#foundation/core/problems/problem'

const MOST_CHARACTERS = 60

/** The name of a client as it may stand beside that of its key. */
export function plainName(name: string): string {
  return name
    .replace(/[^\p{L}\p{N} ._/-]/gu, '')
    .trim()
    .slice(0, MOST_CHARACTERS)
    .toWellFormed()
}

/** Returns the principal of an agent: the key, and the client's name for itself. */
export function asAgent(principal: Principal, client: string | undefined): Principal {
  const called = plainName(client ?? '') || 'agent'
  const name = `${principal.actor.name} (agent: ${called})`
  return { ...principal, actor: { ...principal.actor, name } }
}

/**
 * Clients of the 2025 era say their name once, when they begin. The id of the session that they
 * are given then holds it, signed for their key: nothing is kept here, and any process reads it.
 */
export class ClientNames {
  constructor(private readonly cursors: Cursors) {}

  sessionFor(principal: Principal, name: string): string {
    return this.cursors.write(bindingTo(principal), [plainName(name), randomText(12)])
  }

  /** The name in the id of a session; undefined where it is none of this key's. */
  nameIn(principal: Principal, session: string): string | undefined {
    try {
      return String(this.cursors.read(bindingTo(principal), session)[0])
    } catch (error) {
      if (error instanceof Problem) return undefined
      throw error
    }
  }
}

const bindingTo = ({ organization, actor }: Principal) =>
  `agent session ${organization.id} ${actor.id}`
