import type { Cursors } from '#foundation/api/pages'
import { randomText } from '#foundation/core/ids'
import type { Principal } from '#foundation/core/principal'
import { Problem } from '#foundation/core/problems/problem'

const MAX_CHARACTERS = 60

/** Returns the name of a client in a form that can appear beside the name of its key. */
export function plainName(name: string): string {
  return name
    .replace(/[^\p{L}\p{N} ._/-]/gu, '')
    .trim()
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
}

/** Returns the principal an agent acts as: the key, with the client's own name. */
export function asAgent(principal: Principal, client: string | undefined): Principal {
  const called = plainName(client ?? '') || 'agent'
  const name = `${principal.actor.name} (agent: ${called})`
  return { ...principal, actor: { ...principal.actor, name } }
}

/**
 * 2025-era clients send their name once, at initialization. The session id they receive contains
 * it, signed for their key: the service stores nothing, and any process can read it.
 */
export class ClientNames {
  constructor(private readonly cursors: Cursors) {}

  sessionFor(principal: Principal, name: string): string {
    return this.cursors.write(bindingTo(principal), [plainName(name), randomText(12)])
  }

  /** Returns the name in a session id, or undefined when it does not belong to this key. */
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
